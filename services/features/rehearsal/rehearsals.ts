// Answers rehearsals of all calls: decides on the present state, and shows the caller what would follow.
import type { Rehearsals } from "#http/rehearsal.ts";
import type { Profiles } from "#identity/profiles.ts";
import type { EventExplanations } from "#features/histories.ts";
import { rehearsalResponse } from "#features/rehearsal/contract.ts";
import { peopleOf, viewOf } from "#features/rehearsal/view.ts";
import type { RehearsalOptions } from "#ledger/log/rehearse.ts";
import { rehearse } from "#ledger/log/rehearse.ts";

type Parts = RehearsalOptions & {
  readonly profiles: Pick<Profiles, "displayNames">;
  readonly explanations: EventExplanations;
};

export function createRehearsals(parts: Parts): Rehearsals {
  return {
    answer: rehearsalResponse,
    async rehearse(decider, command, { uid, role }) {
      const rehearsed = await rehearse(parts, decider, command, uid);
      if (rehearsed.kind === "rejected") {
        return rehearsed;
      }
      const names = await parts.profiles.displayNames(peopleOf(rehearsed));
      const viewer = { uid, isAdmin: role === "admin" };
      const answer = viewOf(rehearsed, viewer, names, parts.explanations);
      return { kind: "accepted", answer, position: rehearsed.position };
    },
  };
}
