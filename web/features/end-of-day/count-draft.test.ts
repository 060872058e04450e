// Tests the form in which the drawer is counted: what a second count starts with, and what it sends.
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { TillClosing, TillDayResponse } from "#features/till/contract.ts";
import { dayBeingCounted, draftOf, expectedOf, requestOf, unlikelyCount } from "./count-draft.ts";
import { CountPart } from "./count-part.tsx";
import { countWords } from "./till-words.ts";
import { expectedParts } from "./expected-parts.ts";

const payments = [
  { tender: "cash" as const, soldAmount: 50, refundedAmount: 12 },
  { tender: "card" as const, soldAmount: 99, refundedAmount: 0 },
];

const closing: TillClosing = {
  position: 7,
  day: "2026-11-21",
  payments,
  openingAmount: 100,
  paidInAmount: 3,
  paidOutAmount: 5,
  expectedAmount: 136,
  countedAmount: 135.5,
  differenceAmount: -0.5,
  leftAmount: 80,
  note: "Bought tape",
  closedAt: "2026-11-22T02:00:00.000Z",
  closedBy: { uid: "boss", displayName: "Boss" },
  isReplaced: false,
  newOpening: null,
  since: [],
};

const day: TillDayResponse = {
  day: "2026-11-21",
  from: "2026-11-21T06:00:00.000Z",
  to: "2026-11-22T06:00:00.000Z",
  today: "2026-11-21",
  version: 1,
  payments,
  elsewhere: { sales: 0, soldAmount: 0, refundedAmount: 0 },
  corrections: 0,
  leftBefore: 40,
  closing,
};

test("counting again keeps what stayed in the drawer, and asks for the count and a note of its own", () => {
  const draft = draftOf(day);
  expect(draft).toEqual({
    opening: "100.00",
    paidIn: "3.00",
    paidOut: "5.00",
    counted: "",
    left: "80.00",
    note: "",
  });
  expect(requestOf(day, { ...draft, counted: "136" })).toMatchObject({
    leftAmount: 80,
    note: "",
    expectedAmount: 136,
    expectedVersion: 1,
  });
});

test("counting again begins with what the day before leaves now, if that was counted again meanwhile", () => {
  const newOpening = { day: "2026-11-20", amount: 90 };
  const draft = draftOf({ ...day, closing: { ...closing, newOpening } });
  expect(draft).toMatchObject({ opening: "90.00", left: "80.00" });
  expect(expectedOf(day, draft)).toBe(12_600);
});

test("a sale during the count is expected in the drawer, and a count by somebody else is not overwritten unseen", () => {
  const now: TillDayResponse = {
    ...day,
    version: 2,
    payments: [{ tender: "cash", soldAmount: 70, refundedAmount: 12 }],
    closing: { ...closing, position: 9, openingAmount: 60 },
  };
  const counted = dayBeingCounted(day, now);
  expect(counted).toMatchObject({ version: 1, closing });
  expect(requestOf(counted, { ...draftOf(day), counted: "156" })).toMatchObject({
    day: "2026-11-21",
    expectedAmount: 156,
    expectedVersion: 1,
  });
});

test("an earlier day is counted in words about that day, and today's in words about now", () => {
  const earlier = countWords({ day: "2026-11-20", today: "2026-11-21", closing });
  expect(earlier).toMatchObject({
    title: expect.stringMatching(/^Count 20 Nov.* again$/u),
    left: "Stayed for the next day",
    save: "Save count",
  });
  expect(countWords({ ...day, closing: null })).toMatchObject({
    title: "Count the drawer",
    left: "Stays for tomorrow",
    save: "Close the day",
  });
});

test("what the new opening makes expected counts the payments as they are now, as Count again does", () => {
  const counted = { ...closing, newOpening: { day: "2026-11-20", amount: 90 } };
  const cash = { tender: "cash" as const, soldAmount: 20, refundedAmount: 12 };
  const now = { ...day, payments: [cash, ...payments.slice(1)], closing: counted };
  const shown = renderToStaticMarkup(createElement(CountPart, { closing: counted, day: now }));
  expect(expectedOf(now, draftOf(now))).toBe(9600);
  expect(shown).toContain("$96.00 is expected here");
  // A list of counts does not know the payments of now.
  const listed = renderToStaticMarkup(createElement(CountPart, { closing: counted }));
  expect(listed).toContain("left $90.00. Count this day again.");
});

test("the first count leaves as much as at opening, and has no note", () => {
  expect(draftOf({ ...day, closing: null })).toMatchObject({
    opening: "40.00",
    left: "",
    note: "",
  });
});

test("the parts of a count on screen add up to what it expected", () => {
  const parts = expectedParts(closing);
  expect(parts).toEqual([
    { label: "At opening", cents: 10_000 },
    { label: "Cash sales", cents: 5_000 },
    { label: "Cash refunds", cents: -1_200 },
    { label: "Put in", cents: 300 },
    { label: "Taken out", cents: -500 },
  ]);
  expect(parts.reduce((sum, { cents }) => sum + cents, 0)).toBe(13_600);
});

test("more taken out than was in the drawer, or a difference above all that was expected, is asked about", () => {
  const draft = { ...draftOf(day), counted: "136" };
  expect(unlikelyCount(day, draft)).toBeUndefined();
  expect(unlikelyCount(day, { ...draft, counted: "100" })).toBeUndefined();
  expect(unlikelyCount(day, { ...draft, paidOut: "5000" })).toBe(
    "$5,000.00 was taken out, more than the $141.00 that can have been in the drawer.",
  );
  expect(unlikelyCount(day, { ...draft, counted: "1360" })).toBe(
    "The count differs by $1,224.00, and $136.00 was expected.",
  );
});
