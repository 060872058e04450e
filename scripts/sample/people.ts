// Who is in the sample store: one admin, twelve consignors, and how each of them is paid.
import type { PayoutMethod } from "#identity/payout-handles.ts";

export type SampleConsignor = {
  /** The sample's name for this person. */
  readonly name: string;
  readonly displayName: string;
  readonly method: PayoutMethod;
  readonly handle: string;
  /** The agreed share in percent. */
  readonly percentage: number;
};

export const adminPerson = {
  email: "admin@demo.test",
  displayName: "Robin Admin",
  username: "robin",
} as const;

function consignor(
  name: string,
  displayName: string,
  method: PayoutMethod,
  percentage = 50,
): SampleConsignor {
  const joined = displayName.replaceAll(" ", "");
  const handle = method === "cashapp" ? `$${joined}` : `@${displayName.replaceAll(" ", "-")}`;
  return { name, displayName, method, handle, percentage };
}

export const consignors: readonly SampleConsignor[] = [
  consignor("avery", "Avery Stone", "cashapp"),
  consignor("blake", "Blake Rivers", "venmo"),
  consignor("casey", "Casey Brooks", "cashapp"),
  consignor("devon", "Devon Hale", "venmo"),
  consignor("ellis", "Ellis Moreno", "cashapp"),
  consignor("frankie", "Frankie Wu", "cashapp", 55),
  consignor("gray", "Gray Patel", "venmo"),
  consignor("harper", "Harper Quinn", "venmo", 60),
  consignor("indigo", "Indigo Shaw", "cashapp"),
  consignor("jules", "Jules Okafor", "venmo"),
  consignor("kendall", "Kendall Reyes", "cashapp", 60),
  consignor("logan", "Logan Pierce", "cashapp"),
];

/** The e-mail this person signs in with. */
export function emailOf(name: string): string {
  return `${name}@demo.test`;
}
