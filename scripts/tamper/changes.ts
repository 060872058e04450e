// Every change that a proof must find; each is made alone.
import type { Change } from "./change.ts";
import { everyChanges } from "./every-changes.ts";
import { headChanges } from "./head-changes.ts";
import { keyChanges } from "./key-changes.ts";
import { answerChanges, eventChanges } from "./log-changes.ts";
import { peopleChanges } from "./people-changes.ts";
import { tillChanges } from "./till-changes.ts";
import { guardChanges, readChanges } from "./read-changes.ts";

export const changes: readonly Change[] = [
  ...eventChanges,
  ...answerChanges,
  ...readChanges,
  ...tillChanges,
  ...guardChanges,
  ...peopleChanges,
  ...keyChanges,
  ...everyChanges,
  ...headChanges,
];
