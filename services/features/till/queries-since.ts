// What changed after the till's days were counted, and the corrections of sales that were recorded on a day.
import { sql } from "kysely";
import { positionBefore } from "#http/as-of.ts";
import type { Reads } from "#http/reads.ts";
import { withTables } from "#http/reads.ts";
import { textArray } from "#ledger/log/encode.ts";
import { toDollars } from "#ledger/money.ts";
import { auditEventsTable } from "#features/audit/projection.ts";
import type { TillClosing } from "#features/till/contract.ts";
import { correctionTypes } from "#features/till/contract.ts";
import type { TillPayment } from "#features/till/events.ts";
import { paidIn } from "#features/till/queries-paid.ts";
import type { CountedDay, DayBounds } from "#features/till/queries-bounds.ts";

type Net = {
  readonly day: string;
  readonly tender: TillPayment["tender"];
  readonly cents: number;
};

/** Payments less refunds of several days as the ledger has them now, by tender. */
async function readNets(reads: Reads, days: readonly CountedDay[]): Promise<readonly Net[]> {
  const instants = (of: (day: CountedDay) => Date) =>
    textArray(days.map((day) => of(day).toISOString()));
  const { rows } = await sql<Net>`
    select d.day, p.tender, sum(p.sold - p.refunded)::bigint as cents
    from unnest(
      ${textArray(days.map(({ day }) => day))}::text[],
      ${instants(({ from }) => from)}::text[]::timestamptz[],
      ${instants(({ to }) => to)}::text[]::timestamptz[]) d (day, begins, ends)
    cross join lateral (${paidIn(sql`d.begins`, sql`d.ends`)}) p
    group by d.day, p.tender`.execute(reads);
  return rows;
}

export type CountedPayments = CountedDay & { readonly payments: readonly TillPayment[] };

/** For each day, by how much its payments differ from those of its count. */
export async function readSince(
  reads: Reads,
  counts: readonly CountedPayments[],
): Promise<ReadonlyMap<string, TillClosing["since"]>> {
  const nets = counts.length === 0 ? [] : await readNets(reads, counts);
  return new Map(
    counts.map(({ day, payments }) => {
      const now = new Map(
        nets.flatMap((net) => (net.day === day ? [[net.tender, net.cents] as const] : [])),
      );
      const then = new Map(
        payments.map((one) => [one.tender, one.soldCents - one.refundedCents] as const),
      );
      const tenders = [...new Set([...then.keys(), ...now.keys()])];
      const since = tenders.flatMap((tender) => {
        const cents = (now.get(tender) ?? 0) - (then.get(tender) ?? 0);
        return cents === 0 ? [] : [{ tender, amount: toDollars(cents) }];
      });
      return [day, since];
    }),
  );
}

const inAudit = withTables(auditEventsTable);

/** How many corrections of sales and refunds were recorded on the day, up to `freshTo`. */
export async function countCorrections(
  reads: Reads,
  { from, to }: DayBounds,
  freshTo: number,
): Promise<number> {
  const [before, last] = await Promise.all([
    positionBefore(reads, from, freshTo),
    positionBefore(reads, to, freshTo),
  ]);
  const row = await inAudit(reads)
    .selectFrom("read.audit_events")
    .select((eb) => eb.fn.countAll<number>().as("corrections"))
    .where("type", "in", correctionTypes)
    .where("position", ">", before)
    .where("position", "<=", last)
    .executeTakeFirst();
  return row?.corrections ?? 0;
}
