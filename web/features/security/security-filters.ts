// The filters of the security log, as the address and as the API name them.
import {
  outcomeWords,
  securityKinds,
  securityOutcomes,
  type SecurityKind,
  type SecurityOutcome,
} from "#identity/security-kinds.ts";
import type { Query } from "#web/lib/http.ts";
import { looksLikeUid } from "#web/shared/consignor/consignor-api.ts";
import { dayIn } from "#web/shared/sale/sales-filters.ts";

export type KindChoice = SecurityKind | "all";
export type OutcomeChoice = SecurityOutcome | "all";

export const kindChoices: readonly { readonly value: KindChoice; readonly label: string }[] = [
  { value: "all", label: "Everything" },
  ...Object.entries(securityKinds).map(([value, label]) => ({
    value: value as SecurityKind,
    label,
  })),
];

export const outcomeChoices: readonly { readonly value: OutcomeChoice; readonly label: string }[] =
  [
    { value: "all", label: "Any outcome" },
    ...securityOutcomes.map((value) => ({ value, label: outcomeWords[value] })),
  ];

export type SecurityFilters = {
  readonly kind: KindChoice;
  readonly outcome: OutcomeChoice;
  /** A uid; undefined for all. */
  readonly person: string | undefined;
  /** Days of the store, the last one included; empty for none. */
  readonly from: string;
  readonly to: string;
};

export function securityFiltersIn(params: URLSearchParams): SecurityFilters {
  const [kind, outcome] = [params.get("kind"), params.get("outcome")];
  const person = params.get("person")?.trim() ?? "";
  return {
    kind: kindChoices.find(({ value }) => value === kind)?.value ?? "all",
    outcome: outcomeChoices.find(({ value }) => value === outcome)?.value ?? "all",
    person: looksLikeUid(person) ? person : undefined,
    from: dayIn(params.get("from")),
    to: dayIn(params.get("to")),
  };
}

export function queryOf({ kind, outcome, person, from, to }: SecurityFilters): Query {
  return {
    kind: kind === "all" ? undefined : kind,
    outcome: outcome === "all" ? undefined : outcome,
    person,
    from: from || undefined,
    to: to || undefined,
  };
}

export function isFiltered(filters: SecurityFilters): boolean {
  return Object.values(queryOf(filters)).some((value) => value !== undefined);
}

/** The filters of an address without parameters. */
export const noFilters = {
  kind: undefined,
  outcome: undefined,
  person: undefined,
  from: undefined,
  to: undefined,
} as const;
