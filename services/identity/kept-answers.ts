// The first answers of calls that are not ledger commands, under their idempotency keys, for a day.
import type { TransactionSql } from "postgres";
import type { Sql } from "#db/connect.ts";
import { DAY_MS } from "#ledger/day-text.ts";

const KEPT_MS = DAY_MS;
/** A call that was begun this long ago and has no answer was cut off: the next request with its key runs again. */
const CUT_OFF_MS = 120_000;

export type KeptCall = {
  readonly scope: string;
  readonly key: string;
  /** Hex sha256 of the request. */
  readonly requestHash: string;
};

export type KeptAnswer = {
  readonly status: number;
  readonly body: string;
  readonly position: number | null;
};

/** What is known of a key. `begun`: nothing was, and now this request runs under it. */
export type KeyState =
  | { readonly kind: "begun" }
  | { readonly kind: "running" }
  | { readonly kind: "other-request" }
  | { readonly kind: "answered"; readonly answer: KeptAnswer };

export type KeptAnswers = {
  readonly begin: (call: KeptCall) => Promise<KeyState>;
  readonly keep: (call: KeptCall, answer: KeptAnswer) => Promise<void>;
  /** The call gave no answer that counts: its key is free again. */
  readonly release: (call: KeptCall) => Promise<void>;
};

export function createKeptAnswers(sql: Sql, clock: () => Date): KeptAnswers {
  return {
    async begin({ scope, key, requestHash }) {
      const now = clock();
      const cutOff = new Date(now.getTime() - CUT_OFF_MS);
      await sql`
        delete from identity.kept_answers where begun_at < ${new Date(now.getTime() - KEPT_MS)}`;
      const begun = await sql`
        insert into identity.kept_answers as kept (scope, key, request_hash, begun_at)
        values (${scope}, ${key}, ${requestHash}, ${now})
        on conflict (scope, key) do update set begun_at = excluded.begun_at
        where kept.status is null and kept.request_hash = excluded.request_hash
          and kept.begun_at < ${cutOff}
        returning key`;
      if (begun.count === 1) {
        return { kind: "begun" };
      }
      const [row] = await sql<
        { is_same: boolean; status: number | null; body: string | null; position: number | null }[]
      >`
        select request_hash = ${requestHash} as is_same, status, body, position
        from identity.kept_answers where scope = ${scope} and key = ${key}`;
      // Without a row, the other request has just failed and released the key.
      if (row === undefined || (row.is_same && (row.status === null || row.body === null))) {
        return { kind: "running" };
      }
      const { is_same: isSame, status, body, position } = row;
      return !isSame || status === null || body === null
        ? { kind: "other-request" }
        : { kind: "answered", answer: { status, body, position } };
    },
    async keep({ scope, key }, { status, body, position }) {
      await sql`
        update identity.kept_answers set status = ${status}, body = ${body}, position = ${position}
        where scope = ${scope} and key = ${key}`;
    },
    async release({ scope, key }) {
      await sql`
        delete from identity.kept_answers
        where scope = ${scope} and key = ${key} and status is null`;
    },
  };
}

/**
 * An admin's answers may name anybody, so a person's erasure erases all of them: a repeated request then runs again,
 * which does no harm.
 */
export async function forgetKeptAnswers(transaction: TransactionSql): Promise<void> {
  await transaction`delete from identity.kept_answers`;
}
