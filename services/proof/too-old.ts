// Whether this program is older than the store: it would call wrong what it does not know, so it proves nothing.
import type { Logger } from "pino";
import type { Sql } from "#db/connect.ts";
import { createSchemaCheck } from "#db/migrate.ts";
import type { EventRegister } from "#ledger/log/read.ts";
import { createKnownLog, describeUnknown } from "#ledger/projection/newer-events.ts";

/** Each says why the program is too old, or null. */
export type AgeCheck = {
  readonly ofSchema: () => Promise<string | null>;
  /** Each look reads only what came since the last one. */
  readonly ofEvents: () => Promise<string | null>;
};

export function createAgeCheck(sql: Sql, events: EventRegister): AgeCheck {
  const look = createKnownLog(sql, events);
  const whyForeign = createSchemaCheck(sql);
  return {
    ofSchema: whyForeign,
    ofEvents: async () => {
      const { newer } = await look(0, Number.MAX_SAFE_INTEGER);
      return newer === undefined ? null : describeUnknown(newer);
    },
  };
}

/** Tells whether the program is not too old for any of these reasons, and logs a reason once. */
export function createGate(
  logger: Logger,
  reasons: readonly (() => Promise<string | null>)[],
): () => Promise<boolean> {
  let told: string | undefined;
  return async () => {
    const found = await Promise.all(reasons.map((reason) => reason()));
    const why = found.find((one) => one !== null) ?? undefined;
    if (why !== undefined && why !== told) {
      logger.warn({ why }, "this program does not fit the store, so it proves nothing");
    }
    told = why;
    return why === undefined;
  };
}

/**
 * Works on a queue, until a look says that it may not, and again when it may: a job that an older program took, and left
 * undone, would be lost to a newer one, which may then never get any.
 */
export function workWhile(
  started: () => Promise<void>,
  {
    may,
    start,
    instead,
  }: {
    readonly may: () => Promise<boolean>;
    readonly start: () => Promise<() => Promise<void>>;
    readonly instead: () => Promise<void>;
  },
): { readonly look: () => Promise<void>; readonly close: () => Promise<void> } {
  let stop: (() => Promise<void>) | undefined = started;
  const close = async () => {
    await stop?.();
    stop = undefined;
  };
  return {
    look: async () => {
      if (await may()) {
        stop ??= await start();
      } else {
        await close();
        await instead();
      }
    },
    close,
  };
}
