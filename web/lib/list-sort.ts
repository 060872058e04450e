// How the server sorts a list. The address stores it: `sort` is the server's name for it, `order=desc` the direction.
import type * as z from "zod/mini";
import type { ParamChanges } from "./search-param.ts";

export type ListSort<By extends string = string> = {
  readonly by: By;
  readonly isDescending: boolean;
};

/** The sorting in an address. Unknown names are ignored. `known` is the contract's list of sorts. */
export function sortIn<By extends string>(
  params: URLSearchParams,
  known: z.ZodMiniType<By>,
): ListSort<By> | undefined {
  const by = known.safeParse(params.get("sort"));
  return by.success ? { by: by.data, isDescending: params.get("order") === "desc" } : undefined;
}

/** The parameters for the address and for the server. */
export function sortParams(sort: ListSort | undefined): ParamChanges {
  return { sort: sort?.by, order: sort?.isDescending === true ? "desc" : undefined };
}

/** The sorting after a click on a heading: ascending, then descending, then the default order. */
export function nextSort(sort: ListSort | undefined, by: string): ListSort | undefined {
  if (sort?.by !== by) {
    return { by, isDescending: false };
  }
  return sort.isDescending ? undefined : { by, isDescending: true };
}
