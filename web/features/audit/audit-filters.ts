// The filters of the audit log, as the address and as the API name them.
import { storeAccount } from "#features/accounts/contract-explain-store.ts";
import { auditGroups, thingKinds, type AuditGroup } from "#features/audit/contract.ts";
import { shortTradeId } from "#features/trades/contract-short-id.ts";
import { pathOf, type Query } from "#web/lib/http.ts";
import { looksLikeUid } from "#web/shared/consignor/consignor-api.ts";
import { accountNames } from "#web/shared/explain/account-words.ts";
import { boundIn } from "#web/shared/sale/sales-filters.ts";

export const groupWords: Readonly<Record<AuditGroup, string>> = {
  sale: "Sales",
  payout: "Payouts",
  money: "Balances",
  item: "Items",
  trade: "Trades",
  shipment: "Shipments",
  user: "Users",
  closing: "Closings",
  store: "Settings",
  operations: "Operations",
  other: "Other",
};

export type GroupChoice = AuditGroup | "all";
export type OrderChoice = "newest" | "oldest";

export const groupChoices: readonly { readonly value: GroupChoice; readonly label: string }[] = [
  { value: "all", label: "Everything" },
  ...auditGroups.map((value) => ({ value, label: groupWords[value] })),
];

/** What a consignor has no events of. */
const notOwn: ReadonlySet<GroupChoice> = new Set([
  "user",
  "closing",
  "store",
  "operations",
  "other",
]);
export const ownGroupChoices = groupChoices.filter(({ value }) => !notOwn.has(value));

export const orderChoices = [
  { value: "newest", label: "Newest first" },
  { value: "oldest", label: "Oldest first" },
] as const;

/** Filters without a field of their own: links from other screens set them, and each is shown until it is removed. */
const linked = [
  ...thingKinds,
  "type",
  "actor",
  "account",
  "ownAccount",
  "fromPosition",
  "toPosition",
] as const;
type Linked = (typeof linked)[number];

const linkedWords: Readonly<Record<Linked, string>> = {
  item: "Item",
  sale: "Sale",
  payout: "Payout",
  trade: "Trade",
  shipment: "Shipment",
  type: "Type",
  actor: "By",
  account: "Account",
  ownAccount: "Admins on their own accounts",
  fromPosition: "From position",
  toPosition: "To position",
};

export type AuditFilters = {
  readonly q: string;
  /** A uid; undefined for all. */
  readonly person: string | undefined;
  readonly group: GroupChoice;
  readonly order: OrderChoice;
  /** Days of the store, the last one included, or exact instants, the last one excluded; empty for none. */
  readonly from: string;
  readonly to: string;
  readonly linked: readonly {
    readonly param: Linked;
    readonly value: string;
    /** "Item 3F2A91BC" */
    readonly label: string;
  }[];
};

/** "SaleCorrected" as "sale corrected" */
function inWords(type: string): string {
  return type.replaceAll(/(?<=[a-z])(?=[A-Z])/gu, " ").toLowerCase();
}

function shown(param: Linked, value: string): string {
  if (param === "ownAccount") {
    return linkedWords.ownAccount;
  }
  const account = param === "account" ? storeAccount.safeParse(value).data : undefined;
  if (account !== undefined) {
    return `${linkedWords.account} ${accountNames[account]}`;
  }
  if (param === "trade") {
    return `${linkedWords.trade} ${shortTradeId(value)}`;
  }
  if (param === "type") {
    return `${linkedWords.type} ${value.split(",").map(inWords).join(", ")}`;
  }
  const isId = thingKinds.some((kind) => kind === param);
  return `${linkedWords[param]} ${isId ? value.slice(0, 8).toUpperCase() : value.replaceAll(",", ", ")}`;
}

export function auditFiltersIn(params: URLSearchParams): AuditFilters {
  const person = params.get("person")?.trim() ?? "";
  const group = params.get("group");
  return {
    q: params.get("q")?.trim() ?? "",
    person: looksLikeUid(person) ? person : undefined,
    group: groupChoices.find(({ value }) => value === group)?.value ?? "all",
    order: params.get("order") === "oldest" ? "oldest" : "newest",
    from: boundIn(params.get("from")),
    to: boundIn(params.get("to")),
    linked: linked.flatMap((param) => {
      const value = params.get(param)?.trim() ?? "";
      return value === "" ? [] : [{ param, value, label: shown(param, value) }];
    }),
  };
}

/** Everything but the order. */
function filtersOf({ q, person, group, from, to, linked: others }: AuditFilters): Query {
  return {
    q: q === "" ? undefined : q,
    person,
    group: group === "all" ? undefined : group,
    from: from || undefined,
    to: to || undefined,
    ...Object.fromEntries(others.map(({ param, value }) => [param, value])),
  };
}

export function queryOf(filters: AuditFilters): Query {
  return { ...filtersOf(filters), order: filters.order };
}

/** The path below /api of the list's file. */
export function auditExportPath(filters: AuditFilters): string {
  return pathOf("/audit/events/export", queryOf(filters));
}

export function isFiltered(filters: AuditFilters): boolean {
  return Object.values(filtersOf(filters)).some((value) => value !== undefined);
}

/** The filters of an address without parameters. */
export const noFilters = Object.fromEntries(
  ["q", "person", "group", "from", "to", ...linked].map((param) => [param, undefined]),
);
