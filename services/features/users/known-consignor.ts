// Goods and money are for people we know who have not left: what every command that gives somebody either is decided on.
import type { Decider, Rejection } from "#ledger/decider.ts";
import { reject } from "#ledger/decider.ts";
import type { RouteDeps } from "#http/deps.ts";
import { userStream, userStreamId } from "#features/users/streams.ts";

const UNKNOWN: Rejection = reject(404, "consignor_not_found", "There is no such consignor");

/**
 * The decider for a command about this consignor. For somebody unknown or deactivated it rejects 404
 * `consignor_not_found`. That there is a profile stands outside the log, so the route brings it along; that the
 * person was not deleted meanwhile is read in the decision itself, so of a deletion and a command at once one
 * knows of the other. The ledger rejects, not the route: what was accepted under a key stays accepted when the
 * same request comes again after its consignor has left.
 */
export async function forKnownConsignor<Command, Answer>(
  { profiles }: Pick<RouteDeps, "profiles">,
  uid: string,
  decider: Decider<Command, Answer>,
): Promise<Decider<Command, Answer>> {
  const isKnown = await profiles.exists(uid);
  return isKnown ? whileTheyStay(uid, decider) : { ...decider, decide: () => UNKNOWN };
}

/** The same command, rejected once the log has the end of this person's account. */
export function whileTheyStay<Command, Answer>(
  uid: string,
  decider: Decider<Command, Answer>,
): Decider<Command, Answer> {
  const id = userStreamId(uid);
  return {
    ...decider,
    streams: (command) => [...decider.streams(command), id],
    decide: (command, states) =>
      states.get(userStream, id).state.deactivatedAt === null
        ? decider.decide(command, states)
        : UNKNOWN,
  };
}
