// Errors of tables that get no further, though the server is well and no single row key is at fault.
import type { Generation } from "#ledger/projection/generation.ts";

const words = { building: "new", ready: "new", live: "shown", previous: "earlier" } as const;

/** A step failed as a whole, for example because its SQL is wrong, or the tables lack a column. */
export class StuckTables extends Error {
  readonly generation: Generation;

  constructor(generation: Generation, cause: unknown) {
    const { name, state, position } = generation;
    const reason = cause instanceof Error ? cause.message : "unknown";
    super(
      `The ${words[state]} tables of ${name} get no further than event ${position}: ${reason}`,
      { cause },
    );
    this.name = "StuckTables";
    this.generation = generation;
  }
}

/** There was no moment at which both could be compared. */
export class NeverTogether extends Error {
  constructor(projection: string) {
    super(`The tables of ${projection} were never at the same position: is a worker running?`);
    this.name = "NeverTogether";
  }
}
