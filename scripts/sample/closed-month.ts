// The sample store's closed month, the last whole one, and the sales tax that was remitted for it.
import type { Sql } from "#db/connect.ts";
import { readsOver } from "#http/reads.ts";
import { closeMonth } from "#features/months/decider.ts";
import { remitSalesTax } from "#features/months/decider-tax.ts";
import { readBegins } from "#features/months/queries.ts";
import { readCollected } from "#features/months/queries-tax.ts";
import { readParts } from "#features/reports/queries-month.ts";
import { sampleTimeZone } from "./settings.ts";
import type { SampleCommand, SampleCommands } from "./commands.ts";

const REMITTANCE_ID = "5a1e57a8-0000-4000-8000-000000000001";

/** Once the tables have everything else. */
export async function closedMonth(
  sql: Sql,
  openedAt: Date,
  past: Pick<SampleCommands, "uids">,
): Promise<SampleCommand[]> {
  const { reads, searches } = readsOver(sql);
  const today = new Intl.DateTimeFormat("en-CA", { timeZone: sampleTimeZone }).format(openedAt);
  const [year = 0, number = 0] = today.split("-").map(Number);
  const month = new Date(Date.UTC(year, number - 2, 1)).toISOString().slice(0, 7);
  const bounds = await readBegins(reads, { first: month, count: 1 }, sampleTimeZone, {
    closed: [],
  });
  const [totals] = await readParts(searches, bounds, { kind: "store" });
  const [from = "", to = ""] = bounds.map((at) => at.toISOString());
  if (totals === undefined) {
    throw new Error("A month without totals");
  }
  const actor = past.uids.admin;
  const happenedAt = openedAt.toISOString();
  const closing = {
    month,
    from,
    to,
    timeZone: sampleTimeZone,
    throughPosition: 0,
    totals,
    happenedAt,
  };
  const { collectedCents, refundedCents, correctedCents } = totals.tax;
  const amountCents = collectedCents - refundedCents + correctedCents;
  const remittance = {
    remittanceId: REMITTANCE_ID,
    month,
    amountCents,
    reference: `Return ${month}`,
    collectedCents: await readCollected(reads),
    noteId: null,
    happenedAt,
  };
  return [
    {
      key: "closed-month",
      actor,
      send: (ledger, context) => ledger.execute(closeMonth, closing, context),
    },
    ...(amountCents > 0
      ? [
          {
            key: "remittance",
            actor,
            send: (ledger, context) => ledger.execute(remitSalesTax, remittance, context),
          } satisfies SampleCommand,
        ]
      : []),
  ];
}
