// How changes of the store's settings read to admins, and an agreed share in a user's history.
import type { FeatureExplanations, SettingsLine, SettingsTexts } from "#features/histories.ts";
import type { StoreDetails } from "#features/settings/contract.ts";
import type { settingsEvents, StoreRates } from "#features/settings/events.ts";
import { formatCents } from "#ledger/money.ts";

const inUserOnly = { consignor: null, item: null } as const;
const inNoOther = { ...inUserOnly, user: null } as const;

/** "8.25%" */
function percent(value: number): string {
  return `${value}%`;
}

/** The names of the rates, in the order in which the screen has them. */
const ratesOf = (rates: StoreRates): readonly (readonly [string, string])[] => [
  ["Tax rate", percent(rates.taxRateBasisPoints / 100)],
  ["Default consignor share", percent(rates.defaultConsignorPercentage)],
  ["Trade commission", percent(rates.tradeCommissionPercentage)],
  ["Trade shipping fee", formatCents(rates.tradeShippingFeeCents)],
];

function addressOf({ shippingAddress }: StoreDetails): string {
  const { name, street, city, state, zip, country } = shippingAddress;
  return [name, street, city, `${state} ${zip}`.trim(), country]
    .filter((part) => part !== "")
    .join(", ");
}

const textsOf = (details: StoreDetails): readonly (readonly [string, string])[] => [
  ["Store name", details.storeName],
  ["Shipping address", addressOf(details)],
  ["Return policy", details.returnPolicy],
  ["Community chat link", details.chatLink],
  ["Venmo name", details.venmoName],
];

/** The values that differ. */
function differences(
  before: readonly (readonly [string, string])[],
  after: readonly (readonly [string, string])[],
): SettingsLine[] {
  return after.flatMap(([what, now], index) => {
    const was = before[index]?.[1] ?? "";
    return was === now
      ? []
      : [{ what, before: was === "" ? null : was, after: now === "" ? null : now }];
  });
}

function detailLines({ before, after }: SettingsTexts): readonly SettingsLine[] {
  return differences(before === null ? [] : textsOf(before), after === null ? [] : textsOf(after));
}

const shareText = (share: number | null) =>
  share === null ? "the store's default" : percent(share);

export const settingsExplanations: FeatureExplanations<typeof settingsEvents> = {
  StoreRatesChanged: {
    ...inNoOther,
    store: {
      kind: "rates",
      read: ({ before, after }) => differences(ratesOf(before), ratesOf(after)),
    },
  },
  StoreDetailsChanged: {
    ...inNoOther,
    store: { kind: "details", read: (_data, texts) => detailLines(texts) },
  },
  StoreLogoChanged: {
    ...inNoOther,
    store: {
      kind: "logo",
      read: ({ before, after }) => [
        {
          what: "Logo",
          before: before === null ? null : "an image",
          after: after === null ? null : "an image",
        },
      ],
    },
  },
  StoreTimeZoneChanged: {
    ...inNoOther,
    store: {
      kind: "time-zone",
      read: ({ before, after }) => [{ what: "Time zone", before, after }],
    },
  },
  ConsignorShareAgreed: {
    ...inUserOnly,
    user: {
      kind: "agreed-share",
      read: ({ before, after }) => ({
        description: `Consignor share: ${shareText(before)} to ${shareText(after)}`,
        before: shareText(before),
        after: shareText(after),
        isErased: false,
        noteId: null,
      }),
    },
  },
};
