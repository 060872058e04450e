// The settings' state: what applies now, and which tax rate applied when.
import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { Decider } from "#ledger/decider.ts";
import { accept } from "#ledger/decider.ts";
import type { AnyEvent } from "#ledger/event.ts";
import type { StoreRates } from "#features/settings/events.ts";
import { StoreRatesChanged } from "#features/settings/events.ts";
import type { SettingsState } from "#features/settings/streams.ts";
import {
  DEFAULT_RATES,
  lowestDefaultSince,
  ratesOf,
  settingsStream,
  STORE_SETTINGS,
  taxRateAt,
} from "#features/settings/streams.ts";
import { memoryBooks } from "#testing/shop/memory-books.ts";

const HIGHER: StoreRates = { ...DEFAULT_RATES, taxRateBasisPoints: 850 };
const HIGHER_SHARE: StoreRates = { ...HIGHER, defaultConsignorPercentage: 60 };

function changed(before: StoreRates, after: StoreRates, happenedAt: string): AnyEvent {
  const data = { before, after };
  return { type: StoreRatesChanged.type, data, postings: [], movements: [], happenedAt };
}

function stateAfter(...events: readonly AnyEvent[]): SettingsState {
  return events.reduce<SettingsState>(
    (state, event) => settingsStream.evolve(state, event, STORE_SETTINGS),
    settingsStream.initial,
  );
}

const state = stateAfter(
  changed(DEFAULT_RATES, HIGHER, "2024-06-01T12:00:00.000Z"),
  changed(HIGHER, HIGHER_SHARE, "2024-06-02T12:00:00.000Z"),
);

it("a store that set no rates has those of the specification", () => {
  expect(taxRateAt(settingsStream.initial, "2024-06-01T12:00:00.000Z")).toBe(825);
  expect(settingsStream.initial.rates).toEqual({
    taxRateBasisPoints: 825,
    defaultConsignorPercentage: 50,
    tradeCommissionPercentage: 10,
    tradeShippingFeeCents: 400,
  });
});

it("the newest change is the whole truth, and each change counts", () => {
  expect(state.rates).toEqual(HIGHER_SHARE);
  expect(state.versions).toEqual({ rates: 2, details: 0, logo: 0, timeZone: 0 });
});

it.each([
  ["a millisecond before the change", "2024-06-01T11:59:59.999Z", 825],
  ["at the change, in another offset", "2024-06-01T14:00:00.000+02:00", 850],
  ["after a change that left it", "2024-06-03T00:00:00.000Z", 850],
])("the tax rate %s is the one that applied then", (_when, instant, basisPoints) => {
  expect(taxRateAt(state, instant)).toBe(basisPoints);
});

it("keeps the newest 50 former tax rates", () => {
  const rateNo = (number: number): StoreRates => ({ ...DEFAULT_RATES, taxRateBasisPoints: number });
  const many = Array.from({ length: 60 }, (_, number) =>
    changed(
      rateNo(number),
      rateNo(number + 1),
      new Date(Date.UTC(2024, 0, 1, number)).toISOString(),
    ),
  );
  const after = stateAfter(...many);
  expect(after.formerTaxRates).toHaveLength(50);
  expect(taxRateAt(after, "2023-01-01T00:00:00.000Z")).toBe(10);
});

const DAY_MS = 86_400_000;
const START = Date.UTC(2024, 0, 1);
const instantOf = (day: number) => new Date(START + day * DAY_MS).toISOString();

/** The default share is another one from each day on. */
function sharesByDay(...shares: readonly number[]): SettingsState {
  const rates = (percentage: number): StoreRates => ({
    ...DEFAULT_RATES,
    defaultConsignorPercentage: percentage,
  });
  const changes = shares
    .slice(1)
    .map((share, at) => changed(rates(shares[at] ?? 0), rates(share), instantOf(at + 1)));
  return { ...stateAfter(...changes), rates: rates(shares.at(-1) ?? 0) };
}

it("knows the lowest default share since any day, however often it was changed", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 1, maxLength: 300 }),
      fc.nat({ max: 310 }),
      (shares, day) => {
        const after = sharesByDay(...shares);
        const lowest = Math.min(...shares.slice(Math.min(day, shares.length - 1)));
        expect(lowestDefaultSince(after, instantOf(day))).toBe(lowest);
        expect(after.formerDefaults.length).toBeLessThanOrEqual(101);
      },
    ),
  );
});

it("a command that declares the settings reads the rates that apply now", () => {
  const readRates: Decider<null, StoreRates> = {
    type: "ReadRates",
    streams: () => [STORE_SETTINGS],
    decide: (_command, states) => accept([], ratesOf(states)),
  };
  expect(memoryBooks().when(readRates, null)).toMatchObject({ answer: DEFAULT_RATES });
});
