// Reads for screens: SWR over the API client, kept fresh by live events, with the facts for a freshness line.
import { useEffect, useEffectEvent, useMemo } from "react";
import useSWR from "swr";
import useSWRInfinite from "swr/infinite";
import type * as z from "zod/mini";
import { asApiError, type ApiError } from "./api-error.ts";
import { isOutdated, read as readOnce, type Fresh } from "./http.ts";
import { catchUp, pollWithoutStream, watch } from "./live.ts";

export type Freshness = Omit<Fresh<unknown>, "value">;

export type Read<T> = {
  /** The newest answer. It stays while a newer one is loading or fails. */
  readonly data: T | undefined;
  readonly error: ApiError | undefined;
  /** True while there is nothing to show yet. */
  readonly isLoading: boolean;
  readonly freshness: Freshness | undefined;
  readonly refresh: () => void;
};

/** The rows, or undefined, which lists show as loading: while the tables are filled, it is not known that there are none. */
export function knownRows<Row>(
  rows: readonly Row[] | undefined,
  freshness: Freshness | undefined,
): readonly Row[] | undefined {
  return rows?.length === 0 && freshness?.isStale === true ? undefined : rows;
}

/** Older data are not passed off as the newest ones where the page cannot read those. */
function isUnreadable(error: unknown): boolean {
  return error !== undefined && asApiError(error).isOfOlderPage;
}

/** Reads `path` below /api; undefined reads nothing. The path is the cache's key. */
export function useRead<T>(
  path: string | undefined,
  schema: z.ZodMiniType<T>,
  options: {
    readonly keepPrevious?: boolean;
    /** How often to read again without live events. */
    readonly pollMs?: number;
  } = {},
): Read<T> {
  const { data, error, isLoading, mutate } = useSWR<Fresh<T>, unknown>(
    path ?? null,
    (key: string) => readOnce(key, schema),
    { keepPreviousData: options.keepPrevious ?? false },
  );
  useWatch(path, data, mutate, options.pollMs);
  return {
    data: data?.value,
    error: error === undefined ? undefined : asApiError(error),
    isLoading: isLoading && data === undefined,
    // What is on screen stays, because a form may be open in it, but not as up to date.
    freshness: isUnreadable(error) ? undefined : data,
    refresh: () => void mutate(),
  };
}

/** Refreshes a read on screen when the ledger has advanced past it, or a mutation ended after it was asked for. */
function useWatch(
  path: string | undefined,
  data: Freshness | undefined,
  refresh: () => Promise<unknown>,
  pollMs?: number,
): void {
  const onMoved = useEffectEvent(refresh);
  const shown = useEffectEvent(() => data?.freshTo);
  const askedAfter = data?.askedAfter;
  // A mutation refreshes what is on screen when it ends. What is opened after that may come from the cache, or share
  // a request that was sent before it.
  useEffect(() => {
    if (path !== undefined && askedAfter !== undefined && isOutdated({ askedAfter })) {
      void onMoved();
    }
  }, [path, askedAfter]);
  useEffect(
    () =>
      path === undefined ? undefined : watch({ refresh: () => onMoved(), freshTo: () => shown() }),
    [path],
  );
  const freshTo = data?.freshTo;
  useEffect(() => {
    if (path !== undefined) {
      catchUp(freshTo);
    }
  }, [path, freshTo]);
  useEffect(
    () =>
      path === undefined || pollMs === undefined
        ? undefined
        : pollWithoutStream(() => onMoved(), pollMs),
    [path, pollMs],
  );
}

export type PagedRead<Row, Page = unknown> = {
  /** The pages as they were received, for fields other than the rows, such as sums. Never those of other filters. */
  readonly pages: readonly Page[] | undefined;
  /** Undefined until the first page is loaded. */
  readonly rows: readonly Row[] | undefined;
  readonly error: ApiError | undefined;
  readonly isLoading: boolean;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  /** Why the next page is not there. `loadMore` then tries again. */
  readonly moreError: ApiError | undefined;
  readonly loadMore: () => void;
  /** True while the rows are those of the filters or the order before. */
  readonly isChanging: boolean;
  readonly freshness: Freshness | undefined;
  readonly refresh: () => void;
};

export type Paging<Page, Row> = {
  /** The path of page 1, 2, …; undefined reads nothing. `previous` is the page before, for lists with a cursor. */
  readonly pathOf: ((page: number, previous: Page | undefined) => string) | undefined;
  readonly schema: z.ZodMiniType<Page>;
  readonly rowsOf: (page: Page) => readonly Row[];
  readonly hasMoreAfter: (page: Page) => boolean;
  /** How often to read again without live events. */
  readonly pollMs?: number;
};

const unordered = (path?: string) => path?.replaceAll(/(?:sort|order)=[^&]*&/gu, "");

type FreshPage<Page> = Fresh<Page> & { readonly path: string };

/** Reads a list page by page. "Load more" adds the next page. */
export function usePagedRead<Page, Row>(paging: Paging<Page, Row>): PagedRead<Row, Page> {
  const { pathOf, schema, rowsOf, hasMoreAfter, pollMs } = paging;
  const first = pathOf?.(1, undefined);
  const { error, isLoading, size, setSize, mutate, ...read } = useSWRInfinite<
    FreshPage<Page>,
    unknown
  >(
    (index, previous: FreshPage<Page> | null) =>
      previous !== null && !hasMoreAfter(previous.value)
        ? null
        : (pathOf?.(index + 1, previous?.value) ?? null),
    async (path: string) => ({ ...(await readOnce(path, schema)), path }),
    // Answers contain their time, so no two are equal, and comparing them would take longer as the list grows.
    { revalidateFirstPage: false, keepPreviousData: true, compare: Object.is },
  );
  const shown = read.data?.[0]?.path;
  const isOther = shown !== first;
  // Where the server refuses only another order of what is shown, that stays in the order before.
  const isGone =
    isOther &&
    error !== undefined &&
    (asApiError(error).code !== "too_many_to_sort" || unordered(shown) !== unordered(first));
  const data = isUnreadable(error) || isGone ? undefined : read.data;
  useWatch(first, data?.at(0), mutate, pollMs);
  // Row models are rebuilt when this list changes, so it changes only with the pages.
  const rows = useMemo(() => data?.flatMap((page) => rowsOf(page.value)), [data, rowsOf]);
  const last = data?.at(-1);
  const pages = useMemo(
    () => (isOther && error === undefined ? undefined : data?.map((page) => page.value)),
    [data, isOther, error],
  );
  const hasMore = last !== undefined && hasMoreAfter(last.value);
  const isShort = hasMore && data !== undefined && data.length < size;
  const hasFailed = isShort && error !== undefined;
  return {
    pages,
    rows,
    error: error === undefined ? undefined : asApiError(error),
    isLoading: isLoading && data === undefined,
    hasMore,
    isLoadingMore: isShort && !hasFailed,
    moreError: hasFailed ? asApiError(error) : undefined,
    loadMore: () => void setSize(hasFailed ? size : size + 1),
    isChanging: isOther && data !== undefined && error === undefined,
    freshness: isOther ? undefined : last,
    refresh: () => void mutate(),
  };
}
