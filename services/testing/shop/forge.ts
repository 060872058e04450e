// Events that no decider allows, appended as the application's database role can, and what verify says about them.
import { events, projections, streams } from "../../features.ts";
import type { Decider } from "#ledger/decider.ts";
import { accept } from "#ledger/decider.ts";
import type { NewEvent } from "#ledger/event.ts";
import type { Problem } from "#ledger/verify/problem.ts";
import { verifyBooks } from "#ledger/verify/verify.ts";
import type { MoneyShop } from "#testing/shop/money-shop.ts";
import { shopChecks } from "#testing/shop/ordinary-shop.ts";

/** Appends an event as it is: its hash and its versions are right. */
export const forge: Decider<NewEvent, null> = {
  type: "Forge",
  streams: (forged) => forged.streams,
  decide: (forged) => accept([forged], null),
};

/** The people of this shop have no profiles, with which the log could be compared. */
const checks = shopChecks.filter((entry) => "rule" in entry || entry.check !== "users");

/** What verify says about the shop's log. */
export async function wrongInLog({ database: { sql } }: MoneyShop): Promise<readonly Problem[]> {
  const books = { sql, events, streams, projections, checks, heads: [] };
  const { problems } = await verifyBooks({ ...books, withoutReplay: true });
  return problems;
}

/** What verify says about each of these events, once they are appended. */
export async function saidAbout(
  shop: MoneyShop,
  forged: readonly NewEvent[],
): Promise<readonly (readonly string[])[]> {
  const positions: number[] = [];
  for (const event of forged) {
    await shop.execute(forge, event);
    const [row] = await shop.database.sql<{ position: number }[]>`
      select max(position) as position from log.events`;
    positions.push(row?.position ?? 0);
  }
  const problems = await wrongInLog(shop);
  return positions.map((at) =>
    problems.filter(({ position }) => position === at).map(({ message }) => message),
  );
}
