// All attacks, in the order in which they are tried: those that use up limits come last.
import type { AttackGroup } from "./attack.ts";
import { bodyAttacks } from "./bodies.ts";
import { crossSiteAttacks } from "./cross-site.ts";
import { factorAttacks } from "./factors.ts";
import { fileAttacks } from "./files.ts";
import { guessingAttacks } from "./guessing.ts";
import { inputAttacks } from "./input.ts";
import { otherPeopleAttacks } from "./other-people.ts";
import { pageAttacks } from "./pages.ts";
import { raceAttacks } from "./races.ts";
import { roleAttacks } from "./roles.ts";
import { sessionAttacks } from "./sessions.ts";
import { streamAttacks } from "./streams.ts";
import { tokenAttacks } from "./tokens.ts";

export const attackGroups: readonly AttackGroup[] = [
  { name: "other people's data", attacks: otherPeopleAttacks },
  { name: "roles and mass assignment", attacks: roleAttacks },
  { name: "tokens", attacks: tokenAttacks },
  { name: "other sites", attacks: crossSiteAttacks },
  { name: "sessions and letters", attacks: sessionAttacks },
  { name: "second factors", attacks: factorAttacks },
  { name: "races and keys", attacks: raceAttacks },
  { name: "input", attacks: inputAttacks },
  { name: "bodies and headers", attacks: bodyAttacks },
  { name: "files", attacks: fileAttacks },
  { name: "streams and fetches", attacks: streamAttacks },
  { name: "pages and headers", attacks: pageAttacks },
  { name: "guessing and flooding", attacks: guessingAttacks },
];
