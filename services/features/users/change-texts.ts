// The texts that events about users refer to, until they are erased.
import { sql } from "kysely";
import type { Reads } from "#http/reads.ts";
import type { ReadEvent, StoredFact } from "#ledger/log/read-event.ts";
import { fieldsOf } from "#ledger/log/read-event.ts";
import { textArray } from "#ledger/log/encode.ts";

/** The text before and after a change; null if there was none. */
type ChangeText = { readonly before: string | null; readonly after: string | null };

/** A row with the id of the text that its event names, or null, and that text unless it was erased. */
export type WithText<Row> = Row & {
  readonly changeId: string | null;
  readonly text: ChangeText | undefined;
};

/** Every row with its text, in the order given. */
export async function withTexts<Row extends StoredFact>(
  reads: Reads,
  readEvent: ReadEvent,
  rows: readonly Row[],
): Promise<readonly WithText<Row>[]> {
  const named = rows.map((row) => {
    const { changeId } = fieldsOf(readEvent(row));
    return { row, changeId: typeof changeId === "string" ? changeId : null };
  });
  const texts = await findTexts(
    reads,
    named.flatMap(({ changeId }) => (changeId === null ? [] : [changeId])),
  );
  return named.map(({ row, changeId }) => ({
    ...row,
    changeId,
    text: changeId === null ? undefined : texts.get(changeId),
  }));
}

async function findTexts(
  reads: Reads,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ChangeText>> {
  if (ids.length === 0) {
    return new Map();
  }
  const rows = await reads
    .selectFrom("identity.user_changes")
    .select(["id", "before", "after"])
    .where("id", "=", sql<string>`any (${textArray(ids)}::uuid[])`)
    .execute();
  return new Map(rows.map(({ id, ...text }) => [id, text]));
}
