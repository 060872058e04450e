// The stream of the store's settings. A command that depends on a rate declares it and writes the rate on its event.
import type { States, StreamDefinition } from "#ledger/decider.ts";
import { type EventOf, is } from "#ledger/event.ts";
import { defaultRates } from "#features/settings/contract.ts";
import type { StoreRates } from "#features/settings/events.ts";
import {
  StoreDetailsChanged,
  StoreLogoChanged,
  StoreRatesChanged,
  StoreTimeZoneChanged,
} from "#features/settings/events.ts";

export type { StoreRates } from "#features/settings/events.ts";

/** The rates of a store that never set any. */
export const DEFAULT_RATES: StoreRates = defaultRates;

export type SettingsState = {
  readonly rates: StoreRates;
  /** Tax rates that were replaced, oldest first. A till that was offline may still have one. */
  readonly formerTaxRates: readonly {
    readonly basisPoints: number;
    /** When it was replaced, ISO 8601. */
    readonly until: string;
  }[];
  /**
   * Default shares of sales that were replaced, oldest first, without those that a lower one or an equal one followed: the
   * lowest since some time is among them, and there are never more than shares.
   */
  readonly formerDefaults: readonly {
    readonly percentage: number;
    /** When it was replaced, ISO 8601. */
    readonly until: string;
  }[];
  /** The current row of store.details; null before the first. */
  readonly detailsId: string | null;
  /** The row of store.logos; null without a logo. */
  readonly logoId: string | null;
  /** An IANA name; null if none was set. */
  readonly timeZone: string | null;
  /** How often each was changed: what a form passes back as `expectedVersion`. */
  readonly versions: {
    readonly rates: number;
    readonly details: number;
    readonly logo: number;
    readonly timeZone: number;
  };
};

/** There is one. */
export const STORE_SETTINGS = "store-settings";

/** More are not kept: an older sale is compared with the oldest of these. */
const MOST_FORMER_TAX_RATES = 50;

/** `store-settings`. */
export const settingsStream: StreamDefinition<SettingsState> = {
  category: "store",
  onlyId: STORE_SETTINGS,
  extendedBy: [
    StoreRatesChanged.type,
    StoreDetailsChanged.type,
    StoreLogoChanged.type,
    StoreTimeZoneChanged.type,
  ],
  stateVersion: 2,
  initial: {
    rates: DEFAULT_RATES,
    formerTaxRates: [],
    formerDefaults: [],
    detailsId: null,
    logoId: null,
    timeZone: null,
    versions: { rates: 0, details: 0, logo: 0, timeZone: 0 },
  },
  evolve: (state, event) => {
    const { versions } = state;
    if (is(StoreRatesChanged, event)) {
      const { before, after } = event.data;
      const isSameTax = before.taxRateBasisPoints === after.taxRateBasisPoints;
      const replaced = { basisPoints: before.taxRateBasisPoints, until: event.happenedAt };
      return {
        ...state,
        rates: after,
        formerTaxRates: isSameTax
          ? state.formerTaxRates
          : [...state.formerTaxRates, replaced].slice(-MOST_FORMER_TAX_RATES),
        formerDefaults: formerDefaultsAfter(state.formerDefaults, event),
        versions: { ...versions, rates: versions.rates + 1 },
      };
    }
    if (is(StoreDetailsChanged, event)) {
      const detailsId = event.data.after;
      return { ...state, detailsId, versions: { ...versions, details: versions.details + 1 } };
    }
    if (is(StoreLogoChanged, event)) {
      const logoId = event.data.after;
      return { ...state, logoId, versions: { ...versions, logo: versions.logo + 1 } };
    }
    if (is(StoreTimeZoneChanged, event)) {
      const timeZone = event.data.after;
      return { ...state, timeZone, versions: { ...versions, timeZone: versions.timeZone + 1 } };
    }
    return state;
  },
};

function formerDefaultsAfter(
  former: SettingsState["formerDefaults"],
  { data: { before, after }, happenedAt }: EventOf<typeof StoreRatesChanged>,
): SettingsState["formerDefaults"] {
  const percentage = before.defaultConsignorPercentage;
  return percentage === after.defaultConsignorPercentage
    ? former
    : [...former.filter((one) => one.percentage < percentage), { percentage, until: happenedAt }];
}

/** The lowest default share of a sale that applied at an instant (ISO 8601) or later. */
export function lowestDefaultSince(state: SettingsState, instant: string): number {
  const since = Date.parse(instant);
  const later = state.formerDefaults.filter(({ until }) => Date.parse(until) > since);
  return Math.min(
    state.rates.defaultConsignorPercentage,
    ...later.map(({ percentage }) => percentage),
  );
}

/** The rates that apply now. The command must have declared `STORE_SETTINGS`. */
export function ratesOf(states: States): StoreRates {
  return states.get(settingsStream, STORE_SETTINGS).state.rates;
}

/** The tax rate that applied at an instant (ISO 8601), in basis points. */
export function taxRateAt(state: SettingsState, instant: string): number {
  const at = Date.parse(instant);
  const former = state.formerTaxRates.find(({ until }) => at < Date.parse(until));
  return former?.basisPoints ?? state.rates.taxRateBasisPoints;
}
