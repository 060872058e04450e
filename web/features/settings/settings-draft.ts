// What the forms of the settings show and send: pure steps between what the server has and what is typed.
import type {
  ChangeDetailsRequest,
  ChangeRatesRequest,
  SettingsChange,
  SettingsResponse,
} from "#features/settings/contract.ts";
import { toCents } from "#ledger/money.ts";
import { dollarsText, dollarsToSend, wholeToSend } from "#web/lib/amount.ts";
import { formatMoney } from "#web/lib/formats.ts";

export type Section = Exclude<SettingsChange["section"], "other">;

/** The rates as they are typed. */
export type RatesDraft = {
  /** Percent, as in "8.25". */
  readonly taxRate: string;
  readonly share: string;
  readonly commission: string;
  readonly fee: string;
};

type Rates = SettingsResponse["rates"];

export function ratesDraft(rates: Rates): RatesDraft {
  return {
    taxRate: String(rates.taxRateBasisPoints / 100),
    share: String(rates.defaultConsignorPercentage),
    commission: String(rates.tradeCommissionPercentage),
    fee: dollarsText(toCents(rates.tradeShippingFee)),
  };
}

/** "8.25" as 825; NaN for what is not a percentage with at most two decimals. */
function basisPointsIn(text: string): number {
  return /^\s*\d{1,3}(?:\.\d{0,2})?\s*$/u.test(text) ? Math.round(Number(text) * 100) : Number.NaN;
}

export function ratesRequest(draft: RatesDraft, expectedVersion: number): ChangeRatesRequest {
  return {
    taxRateBasisPoints: basisPointsIn(draft.taxRate),
    defaultConsignorPercentage: wholeToSend(draft.share),
    tradeCommissionPercentage: wholeToSend(draft.commission),
    tradeShippingFee: dollarsToSend(draft.fee),
    expectedVersion,
  };
}

export type ChangedValue = SettingsChange["lines"][number];

/** What a request would change, for the confirmation. */
export function ratesChanged(now: Rates, next: ChangeRatesRequest): ChangedValue[] {
  const rows: readonly (readonly [string, string, string])[] = [
    ["Tax rate", `${now.taxRateBasisPoints / 100}%`, `${next.taxRateBasisPoints / 100}%`],
    [
      "Default consignor share",
      `${now.defaultConsignorPercentage}%`,
      `${next.defaultConsignorPercentage}%`,
    ],
    ["Trade commission", `${now.tradeCommissionPercentage}%`, `${next.tradeCommissionPercentage}%`],
    [
      "Trade shipping fee",
      formatMoney(toCents(now.tradeShippingFee)),
      formatMoney(toCents(next.tradeShippingFee)),
    ],
  ];
  return rows.flatMap(([what, before, after]) =>
    before === after ? [] : [{ what, before, after }],
  );
}

export type DetailsDraft = {
  readonly storeName: string;
  readonly returnPolicy: string;
  readonly chatLink: string;
  readonly venmoName: string;
  readonly name: string;
  readonly street: string;
  readonly city: string;
  readonly state: string;
  readonly zip: string;
  readonly country: string;
};

export function detailsDraft({
  shippingAddress,
  ...rest
}: SettingsResponse["details"]): DetailsDraft {
  const { storeName, returnPolicy, chatLink, venmoName } = rest;
  return { storeName, returnPolicy, chatLink, venmoName, ...shippingAddress };
}

export function detailsRequest(draft: DetailsDraft, expectedVersion: number): ChangeDetailsRequest {
  const { storeName, returnPolicy, chatLink, venmoName, ...shippingAddress } = draft;
  return { storeName, returnPolicy, chatLink, venmoName, shippingAddress, expectedVersion };
}

/** The changes of a section after a position of the log, newest first. */
export function changesSince(
  changes: readonly SettingsChange[],
  section: Section,
  position: number,
): readonly SettingsChange[] {
  return changes.filter((change) => change.section === section && change.position > position);
}

/** The position of the newest change; 0 if there is none. */
export function newestPosition(changes: readonly SettingsChange[]): number {
  return changes[0]?.position ?? 0;
}
