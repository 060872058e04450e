// Rehearsals: with the header `Ledger-Rehearsal: true` a call says what it would do, and does nothing.
import type { Context } from "hono";
import type { $ZodType } from "zod/v4/core";
import type { AppEnv, Person } from "#http/env.ts";
import { badRequest } from "#http/errors.ts";
import type { Decider, Rejection } from "#ledger/decider.ts";

export const REHEARSAL_HEADER = "Ledger-Rehearsal";

/** What a command would do, as the person who asks may see it. */
export type RehearsalOutcome =
  | { readonly kind: "accepted"; readonly answer: object; readonly position: number }
  | { readonly kind: "rejected"; readonly rejection: Rejection; readonly position: number };

export type Rehearsals = {
  /** The schema of the answer, for the OpenAPI document. */
  readonly answer: $ZodType;
  readonly rehearse: <Command, Answer>(
    decider: Decider<Command, Answer>,
    command: Command,
    person: Person,
  ) => Promise<RehearsalOutcome>;
};

/**
 * Thrown by `runCommand` to end a route that rehearses: nothing after the command runs, and the app answers 200 with
 * `answer`.
 */
export class Rehearsed extends Error {
  readonly answer: object;

  constructor(answer: object) {
    super("Rehearsed");
    this.name = "Rehearsed";
    this.answer = answer;
  }
}

/** Throws HttpError 400 for a value other than "true", so that a misspelled one never carries the command out. */
export function isRehearsal(c: { readonly req: Pick<Context["req"], "header"> }): boolean {
  const value = c.req.header(REHEARSAL_HEADER);
  if (value !== undefined && value !== "true") {
    throw badRequest(
      "invalid_rehearsal",
      `${REHEARSAL_HEADER} must be "true", or left out`,
      REHEARSAL_HEADER,
    );
  }
  return value === "true";
}

/** Throws HttpError 400 `not_rehearsable` if a rehearsal is asked for. */
export function refuseRehearsal(c: Pick<Context<AppEnv>, "req">): void {
  if (isRehearsal(c)) {
    throw badRequest(
      "not_rehearsable",
      "This call cannot be rehearsed. Nothing was done",
      REHEARSAL_HEADER,
    );
  }
}
