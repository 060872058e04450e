// One trade's history: the events of its stream in words, oldest first. Buyers and sellers do not learn who the others are.
import { sql } from "kysely";
import type { Reads } from "#http/reads.ts";
import type { EventExplanations } from "#features/histories.ts";
import type { TradeHistoryLine, TradeHistoryResponse } from "#features/trades/contract-reads.ts";
import type { TradePeople } from "#features/trades/queries.ts";
import { sellersLines } from "#features/trades/seller-history.ts";
import type { AnyEvent } from "#ledger/event.ts";
import { readIn, spelledOut } from "#ledger/explain.ts";
import type { ReadEvent } from "#ledger/log/read-event.ts";

/** More events than any trade has. */
const MAX_LINES = 2_000;

function selectEvents(reads: Reads, tradeId: string, through: number) {
  return reads
    .selectFrom("log.event_streams as s")
    .innerJoin("log.events as e", "e.position", "s.position")
    .select(["e.position", "e.type", "e.schema_version", "e.data", "e.actor", "e.happened_at"])
    .where("s.stream_id", "=", sql<string>`log.trade_stream(${tradeId}::text)`)
    .where("s.position", "<=", through)
    .orderBy("e.position")
    .limit(MAX_LINES);
}

/** Who looks, and the people of the trade. Only admins see names. */
export type Viewer = {
  readonly uid: string;
  readonly side: "store" | "buyer" | "seller";
  readonly buyerUid: string;
  /** In the order of the offers. */
  readonly sellers: readonly string[];
  /** The last position to show. */
  readonly through: number;
};

type HistoryDeps = TradePeople & {
  readonly readEvent: ReadEvent;
  readonly explanations: EventExplanations;
};

export async function readTradeHistory(
  reads: Reads,
  { profiles, notes, explanations, readEvent }: HistoryDeps,
  tradeId: string,
  viewer: Viewer,
): Promise<TradeHistoryResponse> {
  const rows = await selectEvents(reads, tradeId, viewer.through).execute();
  const forSeller =
    viewer.side === "seller" ? sellersLines(rows.map(eventOf(readEvent)), viewer.uid) : undefined;
  const read = rows.map((row, index) => {
    const { type, schema_version: schemaVersion, data } = row;
    const said = readIn(explanations, "trade", { type, schemaVersion, data }, null);
    const line = forSeller?.[index];
    return { row, said, words: line?.words ?? null, mayReadNote: line?.hasNote ?? true };
  });
  const shown = viewer.side === "seller" ? read.filter(({ words }) => words !== null) : read;
  const isPerson = (actor: string) => !actor.startsWith("system:");
  const [names, texts] = await Promise.all([
    viewer.side === "store"
      ? profiles.displayNames(new Set(rows.map(({ actor }) => actor).filter(isPerson)))
      : new Map<string, string>(),
    notes.findMany(
      shown.flatMap(({ said, mayReadNote }) => (mayReadNote ? (said?.words.noteId ?? []) : [])),
    ),
  ]);
  const lines = shown.map(({ row, said, words, mayReadNote }): TradeHistoryLine => {
    const displayName = names.get(row.actor);
    const noteId = mayReadNote ? (said?.words.noteId ?? null) : null;
    const usual = said?.words.description ?? spelledOut(row.type);
    return {
      position: row.position,
      type: row.type,
      kind: said?.kind ?? "other",
      description: words === null || words === "usual" ? usual : words.description,
      note: noteId === null ? null : (texts.get(noteId) ?? null),
      by: displayName ?? (isPerson(row.actor) ? roleOf(row.actor, viewer) : null),
      actor: displayName === undefined ? null : { uid: row.actor, displayName },
      happenedAt: row.happened_at.toISOString(),
    };
  });
  return { lines };
}

type EventRow = Awaited<ReturnType<ReturnType<typeof selectEvents>["execute"]>>[number];

function eventOf(readEvent: ReadEvent): (row: EventRow) => AnyEvent | null {
  return (row) => {
    const fact = readEvent(row);
    const happenedAt = row.happened_at.toISOString();
    return fact.kind === "unreadable" ? null : { ...fact, postings: [], movements: [], happenedAt };
  };
}

/** What a person is to the one who looks. */
function roleOf(actor: string, { uid, side, buyerUid, sellers }: Viewer): string {
  if (actor === uid) {
    return "You";
  }
  if (actor === buyerUid) {
    return "Buyer";
  }
  const index = sellers.indexOf(actor);
  if (index === -1) {
    return "Store";
  }
  return side === "seller" ? "Another seller" : `Seller ${index + 1}`;
}
