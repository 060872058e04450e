// The sample store's counted days of the till: what each count expects comes from the sales that are in its tables by then.
import { dayIn } from "#ledger/day-text.ts";
import { readsOver } from "#http/reads.ts";
import type { Sql } from "#db/connect.ts";
import { closeTillDay } from "#features/till/decider.ts";
import { expectedInDrawer } from "#features/till/contract.ts";
import { readPayments } from "#features/till/queries.ts";
import { readBounds } from "#features/till/queries-bounds.ts";
import { sampleTimeZone } from "./settings.ts";
import type { SampleCommand, SampleCommands } from "./commands.ts";

/** In the drawer every morning. */
const OPENING_CENTS = 15_000;
const HOUR_MS = 3_600_000;

/** By how much the count differs from what was expected, this many days ago. */
const counts = [
  { daysAgo: 4, differenceCents: 0, why: null },
  { daysAgo: 3, differenceCents: -200, why: "Two dollars too much change" },
  { daysAgo: 2, differenceCents: 0, why: null },
  { daysAgo: 1, differenceCents: 35, why: "Coins found under the tray" },
] as const;

/** Once the tables have everything else. */
export async function tillDays(
  sql: Sql,
  openedAt: Date,
  past: Pick<SampleCommands, "note" | "uids">,
): Promise<SampleCommand[]> {
  const { reads } = readsOver(sql);
  // No month was closed before these days are counted.
  const begins = (days: readonly string[]) =>
    days.map((day) => ({ day, timeZone: sampleTimeZone, fixed: null }));
  const store = { dayBegins: (days: readonly string[]) => Promise.resolve(begins(days)) };
  const commands: SampleCommand[] = [];
  for (const { daysAgo, differenceCents, why } of counts) {
    const key = `till-day:${daysAgo}`;
    const day = dayIn(new Date(openedAt.getTime() - daysAgo * 24 * HOUR_MS), sampleTimeZone);
    const { from, to } = await readBounds({ reads, store }, day);
    const read = await readPayments(reads, { from, to });
    const cash = read.payments.find(({ tender }) => tender === "cash");
    const drawer = { openingCents: OPENING_CENTS, paidInCents: 0, paidOutCents: 0 };
    const expectedCents = expectedInDrawer({
      ...drawer,
      cashSoldCents: cash?.soldCents ?? 0,
      cashRefundedCents: cash?.refundedCents ?? 0,
    });
    const countedCents = Math.max(0, expectedCents + differenceCents);
    const command = {
      day,
      from: from.toISOString(),
      to: to.toISOString(),
      ...read,
      ...drawer,
      countedCents,
      leftCents: Math.min(countedCents, OPENING_CENTS),
      seenExpectedCents: null,
      expectedVersion: null,
      noteId: why === null ? null : past.note(key, why, null),
      happenedAt: new Date(to.getTime() - 4 * HOUR_MS).toISOString(),
    };
    commands.push({
      key,
      actor: past.uids.admin,
      send: (ledger, context) => ledger.execute(closeTillDay, command, context),
    });
  }
  return commands;
}
