// How a list is sorted, by the server. The address holds it: `sort` is the server's name for it, `order=desc` the direction.
import type * as z from "zod/mini";
import type { ParamChanges } from "./search-param.ts";

export type ListSort<By extends string = string> = {
  readonly by: By;
  readonly isDescending: boolean;
};

/** What an address says; what the list cannot be sorted by counts as absent. `known` is the contract's list of sorts. */
export function sortIn<By extends string>(
  params: URLSearchParams,
  known: z.ZodMiniType<By>,
): ListSort<By> | undefined {
  const by = known.safeParse(params.get("sort"));
  return by.success ? { by: by.data, isDescending: params.get("order") === "desc" } : undefined;
}

/** For the address and for the server alike. */
export function sortParams(sort: ListSort | undefined): ParamChanges {
  return { sort: sort?.by, order: sort?.isDescending === true ? "desc" : undefined };
}

/** What a click on a heading makes of it: ascending, descending, and as the list comes. */
export function nextSort(sort: ListSort | undefined, by: string): ListSort | undefined {
  if (sort?.by !== by) {
    return { by, isDescending: false };
  }
  return sort.isDescending ? undefined : { by, isDescending: true };
}
