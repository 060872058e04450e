// A stream with an event that cannot be read: commands that name the stream are refused, all others go on.

/** One of the stream's events has data that no version of its type had, or an upcast refuses it. */
export class UnreadableStream extends Error {
  override readonly name = "UnreadableStream";
  readonly streamId: string;
  readonly position: number;

  constructor(streamId: string, position: number, cause: unknown) {
    super(`${streamId} cannot be folded: the event at position ${position} cannot be read`, {
      cause,
    });
    this.streamId = streamId;
    this.position = position;
  }
}

/** Throws the fault that stands in place of a state. */
export function refuseUnreadable(state: unknown): void {
  if (state instanceof UnreadableStream) {
    throw state;
  }
}
