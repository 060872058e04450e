// Sends the command of a due deadline. The key names the deadline, so it happens once, even if two workers send it.
import { createHash } from "node:crypto";
import type { TransactionSql } from "postgres";
import type { Decider } from "#ledger/decider.ts";
import type { ExecutionContext, Ledger } from "#ledger/log/ledger.ts";
import type { TradeReminder } from "#features/trades/reminder-letters.ts";
import type { Deadline } from "#features/trades/deadlines.ts";
import type { DeadlineAnswer } from "#features/trades/decider-deadlines.ts";
import {
  cancelOverdueTrade,
  completeTrade,
  expireOffer,
  remindTrade,
} from "#features/trades/decider-deadlines.ts";

export type MeetDeps = {
  readonly ledger: Ledger;
  /** Called in the transaction that writes the reminder; where it throws, the next sweep tries both again. */
  readonly queueLetters: (transaction: TransactionSql, reminder: TradeReminder) => Promise<void>;
};

export type MetDeadline = { readonly happened: boolean; readonly isFirst: boolean };

/**
 * Sends the command of a deadline that `dueOf` found. `happened` if something happened, now or under this key before;
 * not if the trade has moved on, and not if other writers came first every time: the next sweep finds
 * it again. `isFirst` if this call made it happen.
 */
export async function meetDeadline(
  { ledger, queueLetters }: MeetDeps,
  tradeId: string,
  due: Deadline,
  happenedAt: string,
): Promise<MetDeadline> {
  const { key, dueAt } = due;
  const send = async <Command>(
    decider: Decider<Command, DeadlineAnswer>,
    command: Command,
    inSameTransaction: ExecutionContext["inSameTransaction"] = () => Promise.resolve(),
  ): Promise<MetDeadline> => {
    const outcome = await ledger.execute(decider, command, {
      actor: "system:trades",
      // Not the store's scope, where an admin's key could collide.
      scope: "system:trades",
      key,
      // The time of the command is not part of the request, so a later try is the same request.
      requestHash: createHash("sha256").update(key).digest("hex"),
      inSameTransaction,
    });
    const happened = outcome.kind === "accepted" && outcome.answer.happened;
    return { happened, isFirst: happened && !outcome.repeated };
  };
  switch (due.kind) {
    case "expire":
      return send(expireOffer, { offerId: due.offerId, expiresAt: dueAt, happenedAt });
    case "cancel":
      return send(cancelOverdueTrade, { tradeId, dueAt, happenedAt });
    case "complete":
      return send(completeTrade, { tradeId, dueAt, happenedAt });
    case "remind": {
      const { about, day, offerId } = due;
      const reminder = { tradeId, about, day, offerId };
      return send(remindTrade, { ...reminder, dueAt, happenedAt }, (transaction) =>
        queueLetters(transaction, reminder),
      );
    }
    default:
      return due satisfies never;
  }
}
