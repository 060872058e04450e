// The button below a list that has more pages, and why the next one is not there.
import type { PagedRead } from "#web/lib/read.ts";
import { Button } from "./button.tsx";
import { ErrorLine } from "./error-line.tsx";

/** What a list says about its further pages. */
export type MorePages = Pick<
  PagedRead<unknown>,
  "hasMore" | "isLoadingMore" | "moreError" | "loadMore"
> &
  Partial<Pick<PagedRead<unknown>, "isChanging">>;

type LoadMoreProps = {
  readonly list: MorePages;
  readonly className?: string;
};

export function LoadMore({ list, className = "" }: LoadMoreProps) {
  const { hasMore, isLoadingMore, moreError, loadMore } = list;
  return hasMore ? (
    <>
      <ErrorLine>
        {moreError === undefined ? undefined : `Error loading more: ${moreError.message}`}
      </ErrorLine>
      <Button
        onClick={loadMore}
        isBusy={isLoadingMore}
        busyLabel="Loading..."
        className={className}
      >
        {moreError === undefined ? "Load more" : "Try again"}
      </Button>
    </>
  ) : null;
}
