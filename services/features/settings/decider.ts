// Decides changes of the store's settings, and the share agreed with a consignor.
import type { Decider, Rejection, States } from "#ledger/decider.ts";
import { accept, reject } from "#ledger/decider.ts";
import { emit } from "#ledger/event.ts";
import { settingsRefusals } from "#features/settings/contract.ts";
import type { StoreRates } from "#features/settings/events.ts";
import {
  ConsignorShareAgreed,
  StoreDetailsChanged,
  StoreLogoChanged,
  StoreRatesChanged,
  StoreTimeZoneChanged,
} from "#features/settings/events.ts";
import type { SettingsState } from "#features/settings/streams.ts";
import { settingsStream, STORE_SETTINGS } from "#features/settings/streams.ts";
import { refuseRecipient, userStream, userStreamId } from "#features/users/streams.ts";

type Section = keyof SettingsState["versions"];

/** What every change of the store's own settings has. */
type Change = {
  /** How often the section had been changed when the form was loaded; null if the caller does not check. */
  readonly expectedVersion: number | null;
  readonly happenedAt: string;
};

export type ChangeRates = Change & { readonly rates: StoreRates };
export type ChangeDetails = Change & {
  /** The row that the same command writes. */
  readonly detailsId: string;
  /** The row that the route compared with; null if there was none. */
  readonly comparedWith: string | null;
  /** True if the texts are those of that row. */
  readonly isSame: boolean;
};
export type ChangeLogo = {
  /** The row that the same command writes; null removes the logo. */
  readonly logoId: string | null;
  readonly happenedAt: string;
};
export type ChangeTimeZone = Change & { readonly timeZone: string };

export type SettingsChanged = { readonly version: number };

function stateIn(states: States): SettingsState {
  return states.get(settingsStream, STORE_SETTINGS).state;
}

/** Rejects a form that was loaded before another admin's change; null if there was none. */
function refuseOutdated(
  state: SettingsState,
  section: Section,
  expected: number | null,
): Rejection | null {
  const version = state.versions[section];
  const { status, message } = settingsRefusals.settings_changed;
  return expected === null || expected === version
    ? null
    : reject(status, "settings_changed", message, { version });
}

const facts = (happenedAt: string) => ({ streams: [STORE_SETTINGS], happenedAt });

/** Rejects 409 `settings_changed`. Without a change there is no event, here and below. */
export const changeRates: Decider<ChangeRates, SettingsChanged> = {
  type: "ChangeStoreRates",
  streams: () => [STORE_SETTINGS],
  decide: ({ rates, expectedVersion, happenedAt }, states) => {
    const state = stateIn(states);
    const refusal = refuseOutdated(state, "rates", expectedVersion);
    if (refusal !== null) {
      return refusal;
    }
    const { rates: before, versions } = state;
    if (isSameRates(before, rates)) {
      return accept([], { version: versions.rates });
    }
    const event = emit(StoreRatesChanged, { before, after: rates }, facts(happenedAt));
    return accept([event], { version: versions.rates + 1 });
  },
};

function isSameRates(one: StoreRates, other: StoreRates): boolean {
  return (
    one.taxRateBasisPoints === other.taxRateBasisPoints &&
    one.defaultConsignorPercentage === other.defaultConsignorPercentage &&
    one.tradeCommissionPercentage === other.tradeCommissionPercentage &&
    one.tradeShippingFeeCents === other.tradeShippingFeeCents
  );
}

/** Rejects 409 `settings_changed`. */
export const changeDetails: Decider<ChangeDetails, SettingsChanged> = {
  type: "ChangeStoreDetails",
  streams: () => [STORE_SETTINGS],
  decide: ({ detailsId, comparedWith, isSame, expectedVersion, happenedAt }, states) => {
    const state = stateIn(states);
    const refusal = refuseOutdated(state, "details", expectedVersion);
    if (refusal !== null) {
      return refusal;
    }
    const { detailsId: before, versions } = state;
    if (isSame && comparedWith === before) {
      return accept([], { version: versions.details });
    }
    const event = emit(StoreDetailsChanged, { before, after: detailsId }, facts(happenedAt));
    return accept([event], { version: versions.details + 1 });
  },
};

export const changeLogo: Decider<ChangeLogo, SettingsChanged> = {
  type: "ChangeStoreLogo",
  streams: () => [STORE_SETTINGS],
  decide: ({ logoId, happenedAt }, states) => {
    const { logoId: before, versions } = stateIn(states);
    if (before === logoId) {
      return accept([], { version: versions.logo });
    }
    const event = emit(StoreLogoChanged, { before, after: logoId }, facts(happenedAt));
    return accept([event], { version: versions.logo + 1 });
  },
};

/** Rejects 409 `settings_changed`. The route refuses a change if the environment fixes the time zone. */
export const changeTimeZone: Decider<ChangeTimeZone, SettingsChanged> = {
  type: "ChangeStoreTimeZone",
  streams: () => [STORE_SETTINGS],
  decide: ({ timeZone, expectedVersion, happenedAt }, states) => {
    const state = stateIn(states);
    const refusal = refuseOutdated(state, "timeZone", expectedVersion);
    if (refusal !== null) {
      return refusal;
    }
    const { timeZone: before, versions } = state;
    if (before === timeZone) {
      return accept([], { version: versions.timeZone });
    }
    const event = emit(StoreTimeZoneChanged, { before, after: timeZone }, facts(happenedAt));
    return accept([event], { version: versions.timeZone + 1 });
  },
};

export type AgreeShare = {
  readonly uid: string;
  /** Null: the store's default applies again. */
  readonly percentage: number | null;
  readonly happenedAt: string;
};

/** Rejects 404 `consignor_not_found` for a person who has left. */
export const agreeShare: Decider<AgreeShare, { readonly percentage: number | null }> = {
  type: "AgreeConsignorShare",
  streams: ({ uid }) => [userStreamId(uid)],
  decide: ({ uid, percentage, happenedAt }, states) => {
    const refusal = refuseRecipient(states, uid);
    if (refusal !== null) {
      return refusal;
    }
    const before = states.get(userStream, userStreamId(uid)).state.agreedPercentage;
    if (before === percentage) {
      return accept([], { percentage });
    }
    const event = emit(
      ConsignorShareAgreed,
      { uid, before, after: percentage },
      { streams: [userStreamId(uid)], happenedAt },
    );
    return accept([event], { percentage });
  },
};
