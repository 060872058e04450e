// The whole register for test shops, so that a new stream, event, projection or call is automatically in all of them.
import { events, features, streams } from "../../features.ts";
import type { FeatureRoutes } from "#http/deps.ts";
import type { StreamDefinition } from "#ledger/decider.ts";
import type { EventDefinition } from "#ledger/event.ts";

export const allRoutes: readonly FeatureRoutes[] = features.flatMap((feature) => feature.routes);

/** Every stream of the register, plus those of a test. */
export function streamsWith(
  ...more: readonly StreamDefinition<unknown>[]
): ReadonlyMap<string, StreamDefinition<unknown>> {
  return new Map([...streams, ...more.map((stream) => [stream.category, stream] as const)]);
}

/** Every event of the register, plus those of a test. */
export function eventsWith(
  ...more: readonly EventDefinition[]
): ReadonlyMap<string, EventDefinition> {
  return new Map([...events, ...more.map((event) => [event.type, event] as const)]);
}
