// One step of a stream's fold in a command, on the state that the log keeps for the stream.
import type { StreamDefinition, StreamState } from "#ledger/decider.ts";
import type { AnyEvent } from "#ledger/event.ts";

/**
 * The state after an event. Throws with what to look at if evolve does: most often the stored state has an older shape,
 * because its `stateVersion` was not raised.
 */
export function evolved<State>(
  definition: StreamDefinition<State>,
  before: StreamState<State>,
  event: AnyEvent,
  streamId: string,
): State {
  try {
    return definition.evolve(before.state, event, streamId);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const { category, stateVersion } = definition;
    throw new Error(
      `evolve of ${category} failed on ${event.type}, on the state of ${streamId} at version ${before.version}: ` +
        `${reason}. If the state's shape changed, raise the stateVersion of ${category} in its streams.ts: ` +
        `${stateVersion} → ${stateVersion + 1}, then run: npm run fingerprints`,
      { cause },
    );
  }
}
