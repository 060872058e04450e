// Goods and money are for people we know: whether we do stands outside the log, so a command brings it to its decision.
import type { Decider } from "#ledger/decider.ts";
import { reject } from "#ledger/decider.ts";
import type { RouteDeps } from "#http/deps.ts";

const UNKNOWN = reject(404, "consignor_not_found", "There is no such consignor");

/**
 * The decider for a command about this consignor. For somebody unknown or deactivated it rejects 404
 * `consignor_not_found`. The ledger rejects, not the route: what was accepted under a key stays accepted when
 * the same request comes again after its consignor has left.
 */
export async function forKnownConsignor<Command, Answer>(
  { profiles }: Pick<RouteDeps, "profiles">,
  uid: string,
  decider: Decider<Command, Answer>,
): Promise<Decider<Command, Answer>> {
  return (await profiles.exists(uid)) ? decider : { ...decider, decide: () => UNKNOWN };
}
