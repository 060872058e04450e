// Finds an old payout's handle among the names and forms that the old app used for it.
import type { FilePayout } from "#features/migration/legacy-schema.ts";

const PREFIX = { cashapp: "$", venmo: "@" } as const;

/** A profile's address, as in "https://cash.app/$avery/12.00" or "venmo.com/u/avery". */
const ADDRESS = {
  cashapp: /^(?:https?:\/\/)?(?:www\.)?cash\.(?:app|me)\/(?<name>[^/?#]*)/iu,
  venmo: /^(?:https?:\/\/)?(?:[a-z]+\.)?venmo\.com\/(?:u\/)?(?<name>[^/?#]*)/iu,
} as const;

/** With its prefix, once; empty if the old app named none. An address of another site names none. */
export function handleOf({ method, handle, cashAppLink, venmoUsername }: FilePayout): string {
  const own = method === "cashapp" ? cashAppLink : venmoUsername;
  const given = handle === "" ? own : handle;
  const name = ADDRESS[method].exec(given)?.groups?.["name"] ?? given;
  const bare = name.replace(/^(?:%24|%40|[$@])/u, "").trim();
  return bare === "" || bare.includes("/") ? "" : `${PREFIX[method]}${bare}`;
}
