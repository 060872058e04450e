// One trade's history: the events of its stream in words, oldest first. Buyers do not learn who the sellers are.
import { sql } from "kysely";
import type { Reads } from "#http/reads.ts";
import type { EventExplanations } from "#features/histories.ts";
import type { TradeHistoryLine, TradeHistoryResponse } from "#features/trades/contract.ts";
import type { TradePeople } from "#features/trades/queries.ts";
import { readIn, spelledOut } from "#ledger/explain.ts";

/** More events than any trade has. */
const MAX_LINES = 2_000;

function selectEvents(reads: Reads, tradeId: string) {
  return reads
    .selectFrom("log.event_streams as s")
    .innerJoin("log.events as e", "e.position", "s.position")
    .select(["e.position", "e.type", "e.schema_version", "e.data", "e.actor", "e.happened_at"])
    .where("s.stream_id", "=", sql<string>`log.trade_stream(${tradeId}::text)`)
    .orderBy("e.position")
    .limit(MAX_LINES);
}

/** Who looks: the buyer sees own acts and the store's, never who a seller is. */
export type Viewer = {
  readonly isAdmin: boolean;
  /** The trade's sellers. */
  readonly sellers: ReadonlySet<string>;
};

export async function readTradeHistory(
  reads: Reads,
  { profiles, notes, explanations }: TradePeople & { readonly explanations: EventExplanations },
  tradeId: string,
  { isAdmin, sellers }: Viewer,
): Promise<TradeHistoryResponse> {
  const rows = await selectEvents(reads, tradeId).execute();
  const read = rows.map((row) => {
    const { type, schema_version: schemaVersion, data } = row;
    return { row, said: readIn(explanations, "trade", { type, schemaVersion, data }, null) };
  });
  const isNamed = (actor: string) =>
    !actor.startsWith("system:") && (isAdmin || !sellers.has(actor));
  const [names, texts] = await Promise.all([
    profiles.displayNames(new Set(rows.map(({ actor }) => actor).filter(isNamed))),
    notes.findMany(read.flatMap(({ said }) => said?.words.noteId ?? [])),
  ]);
  const lines = read.map(({ row, said }): TradeHistoryLine => {
    const displayName = names.get(row.actor);
    const noteId = said?.words.noteId ?? null;
    return {
      position: row.position,
      type: row.type,
      kind: said?.kind ?? "other",
      description: said?.words.description ?? spelledOut(row.type),
      note: noteId === null ? null : (texts.get(noteId) ?? null),
      actor: displayName === undefined ? null : { uid: row.actor, displayName },
      happenedAt: row.happened_at.toISOString(),
    };
  });
  return { lines };
}
