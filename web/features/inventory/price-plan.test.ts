// Tests what a change of many tag prices shows before it is sent, and that Undo gives each its own price back.
import { expect, it } from "vitest";
import { pricePlan, requestOf, ruleOf, undoRequests } from "./price-plan.ts";

const items = [
  { id: "lamp", tagPriceCents: 2000 },
  { id: "rug", tagPriceCents: 9999 },
  { id: "mug", tagPriceCents: 300 },
  { id: "vase", tagPriceCents: null },
];

const idsOf = (some: readonly { readonly id: string }[]) => some.map(({ id }) => id);

it("marks down what has a price, and says what it leaves out", () => {
  const plan = pricePlan(items, { kind: "amount-off", cents: 300 });
  expect(plan.changed.map(({ item, afterCents }) => [item.id, afterCents])).toEqual([
    ["lamp", 1700],
    ["rug", 9699],
  ]);
  expect([idsOf(plan.unpriced), idsOf(plan.tooLow)]).toEqual([["vase"], ["mug"]]);
});

it("sends the price that was seen, and leaves out what has the new price already", () => {
  const rule = { kind: "set", tagPriceCents: 2000 } as const;
  const plan = pricePlan(items, rule);
  expect(idsOf(plan.same)).toEqual(["lamp"]);
  expect(requestOf(plan, rule)).toEqual({
    items: [
      { itemID: "rug", tagPriceCents: 9999 },
      { itemID: "mug", tagPriceCents: 300 },
      { itemID: "vase", tagPriceCents: null },
    ],
    change: rule,
  });
  expect(requestOf(pricePlan([], rule), rule)).toBe(undefined);
});

it("gives every item its own old price back", () => {
  const plan = pricePlan(items, { kind: "set", tagPriceCents: 500 });
  expect(undoRequests(plan).map(({ items: some, change }) => [some.length, change])).toEqual([
    [1, { kind: "set", tagPriceCents: 2000 }],
    [1, { kind: "set", tagPriceCents: 9999 }],
    [1, { kind: "set", tagPriceCents: 300 }],
    [1, { kind: "set", tagPriceCents: null }],
  ]);
});

it.each([
  ["percent-off", "25%", { kind: "percent-off", percent: 25 }],
  ["percent-off", "100", undefined],
  ["percent-off", "2.5", undefined],
  ["amount-off", "$5", { kind: "amount-off", cents: 500 }],
  ["amount-off", "0", undefined],
  ["set", "12.50", { kind: "set", tagPriceCents: 1250 }],
  ["set", "", undefined],
] as const)("%s of %j is read as %j", (kind, text, rule) => {
  expect(ruleOf(kind, text)).toEqual(rule);
});
