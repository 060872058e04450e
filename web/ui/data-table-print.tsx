// Prints a list as a whole: Ctrl or Cmd P first loads the pages that are missing. Loaded with the first list that has another page.
import { useEffect, useEffectEvent, useRef } from "react";
import type { MorePages } from "./load-more.tsx";
import { showErrorToast, showToast } from "./toast.ts";

/** Beyond this, a file is the better list. */
const mostPages = 40;

export function PrintAll({ list }: { readonly list: MorePages }) {
  const { hasMore, isLoadingMore, moreError, loadMore } = list;
  /** How many pages were asked for; undefined if nothing is to be printed. */
  const asked = useRef<number>(undefined);
  function proceed(): void {
    if (asked.current === undefined) {
      return;
    }
    if (moreError !== undefined && asked.current > 0) {
      asked.current = undefined;
      showErrorToast(`Error loading the whole list, so it was not printed: ${moreError.message}`);
    } else if (hasMore && asked.current < mostPages) {
      asked.current += 1;
      loadMore();
    } else {
      asked.current = undefined;
      print();
    }
  }
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isPrint = event.key.toLowerCase() === "p" && (event.ctrlKey || event.metaKey);
    if (!isPrint || event.shiftKey || event.altKey || !hasMore) {
      return;
    }
    event.preventDefault();
    if (asked.current === undefined) {
      showToast("Loading the whole list to print it");
      asked.current = 0;
      proceed();
    }
  });
  const onPage = useEffectEvent((isWaiting: boolean) => {
    if (!isWaiting) {
      proceed();
    }
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => onKey(event);
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
  useEffect(() => onPage(isLoadingMore), [isLoadingMore]);
  return null;
}
