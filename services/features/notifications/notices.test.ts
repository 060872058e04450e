// From events to notifications: who reads which words, and where they lead; every stored version of an event can be told.
import { expect, test } from "vitest";
import { kinds } from "#features/notifications/kinds.ts";
import { noticesOf, toldTypes, wordsFor } from "#features/notifications/notices.ts";
import { createReadEvent } from "#ledger/log/read-event.ts";
import { eventFixtures } from "#testing/shop/event-fixtures.ts";
import { events } from "../../features.ts";

const readEvent = createReadEvent(events);
const stored = ["sales", "payouts", "shipments", "trades"]
  .flatMap((feature) => eventFixtures(new URL(`../${feature}/fixtures/`, import.meta.url)))
  .filter(({ type }) => toldTypes.includes(type))
  .map(({ file, type, version, data }) => ({
    file,
    fact: readEvent({ type, schema_version: version, data }),
  }));

/** "kind → person: title. text path" */
const said = (wanted: string): string[] =>
  stored
    .filter(({ file }) => file.startsWith(wanted))
    .flatMap(({ fact }) => noticesOf(fact))
    .map(
      ({ kind, to, title, text, path }) =>
        `${kind} → ${to === "admins" ? to : to.uid}: ${title}. ${text} ${path.replace(/=[0-9a-f-]{36}/u, "=…")}`,
    );

test("every stored version of an event that people are told of has words for each of them", () => {
  expect(new Set(stored.map(({ file }) => file.split(".")[0]))).toEqual(new Set(toldTypes));
  const wrong = stored.flatMap(({ file, fact }) => {
    const notices = noticesOf(fact);
    const wrongNotices = notices.filter(({ kind, to, title, text, path }) => {
      const words = wordsFor(fact, kind, to === "admins" ? "anybody" : to.uid);
      return (
        words?.title !== title ||
        kinds[kind].forAdmins !== (to === "admins") ||
        /undefined|NaN|\[object/u.test(title + text + path)
      );
    });
    return notices.length === 0 || wrongNotices.length > 0 ? [file] : [];
  });
  expect(wrong).toEqual([]);
});

test("money is told with its amount", () => {
  expect([...said("SaleRecorded.v1"), ...said("Payout")]).toEqual([
    "sale → avery-000000000000001: 2 × Desk lamp sold. You get $17.50. /sales-history?tab=sales&sale=…",
    "payout-deleted → avery-000000000000001: Your payout request of $25.00 was deleted. The money is available again. /sales-history?tab=payouts",
    "payout-deleted → avery-000000000000001: Your payout request of $25.00 was deleted. The money is available again. /sales-history?tab=payouts",
    "payout-paid → avery-000000000000001: Your payout of $25.00 was paid. It was paid with CashApp. /sales-history?tab=payouts",
    "payout-paid → avery-000000000000001: Your payout of $25.00 was paid. It was paid with CashApp. /sales-history?tab=payouts",
    ...["CashApp", "Venmo"].flatMap((method) => [
      `payout-requested → admins: A payout of $25.00 was requested. It is to be paid with ${method}. /payout-requests`,
      `payout-for-me → avery-000000000000001: The store requested a payout of $25.00 for you. It is to be paid with ${method}. If you did not agree to it, tell the store now. /sales-history?tab=payouts`,
    ]),
    "payout-returned → avery-000000000000001: Your payout of $25.00 came back. The transfer with CashApp failed. The money is available again. /sales-history?tab=payouts",
  ]);
});

test("a shipment is told with what was received and refused", () => {
  expect(said("ShipmentProcessed")).toEqual([
    "shipment-processed → avery-000000000000001: Your shipment was processed. 10 units received, 2 units refused. /user-shipments",
  ]);
});

test("of a trade, each party is told of what the other did, on its own screen", () => {
  expect([...said("OfferCountered"), ...said("OffersExpired")]).toEqual([
    "counter → sample-buyer-000000001: A counter offer for Desk lamp. The seller proposes 1 unit at $7.00 each. /my-trades?trade=…",
    "expiry → sample-buyer-000000001: An offer for Desk lamp expired. Nobody answered in time. /my-trades?trade=…",
    "expiry → sample-seller-00000001: An offer for Desk lamp expired. Nobody answered in time. /my-offers?trade=…",
    "expiry → sample-seller-00000002: An offer for Desk lamp expired. Nobody answered in time. /my-offers?trade=…",
  ]);
});

test("a seller's answer is told to the buyer about a request, a buyer's to the seller about a counter offer", () => {
  const accepted = stored.find(({ file }) => file.startsWith("OfferAccepted"))?.fact;
  if (accepted?.kind !== "read") {
    throw new Error("There is no stored acceptance");
  }
  const { data } = accepted;
  const titleBy = (by: string) =>
    noticesOf({ ...accepted, data: { ...Object(data), by } as object })[0]?.title;
  expect(titleBy("seller")).toBe("Your request for Desk lamp was accepted");
  expect(titleBy("buyer")).toBe("Your counter offer for Desk lamp was accepted");
});

test("what cannot be read tells nobody, and nobody reads what another one is told", () => {
  expect(noticesOf({ kind: "unreadable", type: "SaleRecorded" })).toEqual([]);
  const sale = stored.find(({ file }) => file === "SaleRecorded.v2.json");
  expect(sale && wordsFor(sale.fact, "sale", "blake-000000000000002")).toBeUndefined();
});

test("a title is one line of visible characters, whatever an item was called", () => {
  const sale = stored.find(({ file }) => file.startsWith("CustomSaleRecorded"));
  if (sale?.fact.kind !== "read") {
    throw new Error("There is no stored custom sale");
  }
  const data = { ...Object(sale.fact.data), itemName: "x\r\nBcc: a@b.c\u2028\u202Etxt" } as object;
  const uid = String(Reflect.get(data, "consignorId"));
  expect(wordsFor({ ...sale.fact, data }, "sale", uid)?.title).toBe("x Bcc: a@b.c txt sold");
});
