// The button below a list that has more pages.
import type { PagedRead } from "#web/lib/read.ts";
import { Button } from "./button.tsx";

/** What a list says about its further pages. */
export type MorePages = Pick<PagedRead<unknown>, "hasMore" | "isLoadingMore" | "loadMore"> &
  Partial<Pick<PagedRead<unknown>, "isChanging">>;

type LoadMoreProps = {
  readonly list: MorePages;
  readonly className?: string;
};

export function LoadMore({ list, className = "" }: LoadMoreProps) {
  return list.hasMore ? (
    <Button
      onClick={list.loadMore}
      isBusy={list.isLoadingMore}
      busyLabel="Loading..."
      className={className}
    >
      Load more
    </Button>
  ) : null;
}
