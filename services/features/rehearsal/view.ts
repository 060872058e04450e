// Turns decided events into what the caller may see of them: sentences, postings, and balances before and after. Pure.
import type { EventExplanations } from "#features/histories.ts";
import type { RehearsalResponse } from "#features/rehearsal/contract.ts";
import { sentenceOf } from "#features/rehearsal/sentence.ts";
import {
  availableAccount,
  consignorStream,
  consignorStreamId,
  payoutsAccount,
} from "#features/accounts/streams.ts";
import { itemHolding, itemStream, itemStreamId } from "#features/inventory/streams.ts";
import type { ItemState } from "#features/inventory/streams.ts";
import { escrowAccount, tradeStream, tradeStreamId } from "#features/trades/streams.ts";
import type { TradeState } from "#features/trades/streams.ts";
import type { StreamDefinition } from "#ledger/decider.ts";
import type { NewEvent } from "#ledger/event.ts";
import type { Rehearsed, RehearsedStream } from "#ledger/log/rehearse.ts";
import { toDollars } from "#ledger/money.ts";
import { netOf } from "#ledger/posting.ts";

export type Viewer = { readonly uid: string; readonly isAdmin: boolean };

type Accepted = Extract<Rehearsed, { kind: "accepted" }>;
type Change<State> = { readonly before: State; readonly after: State };

/** Everybody whose account the events touch. */
export function peopleOf({ events }: Accepted): string[] {
  return [...new Set(accountsOf(events).flatMap((account) => uidOf(account) ?? []))];
}

/** `names` has everybody of `peopleOf`. A consignor sees only what touches their own accounts, items and trades. */
export function viewOf(
  rehearsed: Accepted,
  viewer: Viewer,
  names: ReadonlyMap<string, string>,
  explanations: EventExplanations,
): RehearsalResponse {
  const { events, position } = rehearsed;
  const streams = new Map(rehearsed.streams.map((stream) => [stream.streamId, stream]));
  const sight = sightOf(events, streams, viewer);
  return {
    rehearsal: true,
    position,
    events: events.map((event) => ({
      type: event.type,
      sentence: sentenceOf(event, explanations, {
        uid: viewer.isAdmin ? (peopleOf({ ...rehearsed, events: [event] })[0] ?? null) : viewer.uid,
        isAdmin: viewer.isAdmin,
        itemNameOf: (itemId) => sight.items.get(itemId)?.after.details.itemName ?? null,
      }),
      ...sight.shownOf(event),
    })),
    balances: balancesOf(events, streams, viewer, names),
    items: [...sight.items].map(([itemId, { before, after }]) => ({
      itemId,
      itemName: after.details.itemName,
      ownerUid: after.ownerUid,
      before: before.quantity,
      after: after.quantity,
    })),
    heldForTrades: [...sight.trades].map(([tradeID, { before, after }]) => ({
      tradeID,
      before: toDollars(before.heldCents),
      after: toDollars(after.heldCents),
    })),
    store: viewer.isAdmin ? storeOf(events) : [],
  };
}

function accountsOf(events: readonly NewEvent[]): string[] {
  return [
    ...new Set(events.flatMap(({ postings }) => postings.flatMap(({ from, to }) => [from, to]))),
  ];
}

/** Whose account it is; null for another one. */
function uidOf(account: string): string | null {
  const kind = [availableAccount, payoutsAccount].find(({ is }) => is(account));
  return kind === undefined ? null : kind.idOf(account);
}

/** Throws if an event touches something without extending its stream, which would leave its state wrong. */
function changeIn<State>(
  streams: ReadonlyMap<string, RehearsedStream>,
  definition: StreamDefinition<State>,
  streamId: string,
): Change<State> {
  const stream = streams.get(streamId);
  if (stream?.category !== definition.category) {
    throw new Error(`An event touches ${streamId} without extending it`);
  }
  // The register has one definition per category, so the states have its shape.
  return { before: stream.before.state as State, after: stream.after.state as State };
}

/** What the viewer may see of the items, trades, postings and movements. */
function sightOf(
  events: readonly NewEvent[],
  streams: ReadonlyMap<string, RehearsedStream>,
  { uid, isAdmin }: Viewer,
) {
  const items = new Map<string, Change<ItemState>>();
  for (const name of events.flatMap(({ movements }) =>
    movements.flatMap(({ from, to }) => [from, to]),
  )) {
    if (itemHolding.is(name)) {
      const itemId = itemHolding.idOf(name);
      const change = changeIn(streams, itemStream, itemStreamId(itemId));
      if (isAdmin || change.after.ownerUid === uid) {
        items.set(itemId, change);
      }
    }
  }
  const trades = new Map<string, Change<TradeState>>();
  for (const name of accountsOf(events).filter((account) => escrowAccount.is(account))) {
    const tradeId = escrowAccount.idOf(name);
    const change = changeIn(streams, tradeStream, tradeStreamId(tradeId));
    if (isAdmin || change.after.trade?.buyerUid === uid) {
      trades.set(tradeId, change);
    }
  }
  const isOwnAccount = (name: string) => uidOf(name) === uid;
  const isOwnItem = (name: string) => itemHolding.is(name) && items.has(itemHolding.idOf(name));
  const account = (name: string) =>
    isAdmin || uidOf(name) === null || isOwnAccount(name) ? name : null;
  const holding = (name: string) =>
    isAdmin || !itemHolding.is(name) || isOwnItem(name) ? name : null;
  return {
    items,
    trades,
    shownOf: ({ postings, movements }: NewEvent) => ({
      postings: postings
        .filter(({ from, to }) => isAdmin || isOwnAccount(from) || isOwnAccount(to))
        .map(({ from, to, cents }) => ({
          from: account(from),
          to: account(to),
          amount: toDollars(cents),
        })),
      movements: movements
        .filter(({ from, to }) => isAdmin || isOwnItem(from) || isOwnItem(to))
        .map(({ from, to, units }) => ({ from: holding(from), to: holding(to), units })),
    }),
  };
}

function balancesOf(
  events: readonly NewEvent[],
  streams: ReadonlyMap<string, RehearsedStream>,
  viewer: Viewer,
  names: ReadonlyMap<string, string>,
): RehearsalResponse["balances"] {
  return accountsOf(events).flatMap((name) => {
    const uid = uidOf(name);
    if (uid === null || !(viewer.isAdmin || uid === viewer.uid)) {
      return [];
    }
    const { before, after } = changeIn(streams, consignorStream, consignorStreamId(uid));
    const isAvailable = availableAccount.is(name);
    const part = isAvailable ? "availableCents" : "inTransitCents";
    return {
      uid,
      displayName: names.get(uid) ?? uid,
      account: isAvailable ? ("available" as const) : ("pendingPayouts" as const),
      before: toDollars(before[part]),
      after: toDollars(after[part]),
    };
  });
}

/** Accounts of nobody in particular have no stream: only what is added to them is known. */
function storeOf(events: readonly NewEvent[]): RehearsalResponse["store"] {
  const postings = events.flatMap((event) => event.postings);
  return accountsOf(events)
    .filter((name) => name.startsWith("store:") || name.startsWith("world:"))
    .map((account) => ({ account, change: toDollars(netOf(postings, account)) }));
}
