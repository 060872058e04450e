// The button below a list says what became of the next page.
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { ApiError } from "#web/lib/api-error.ts";
import { LoadMore, type MorePages } from "./load-more.tsx";

const list: MorePages = {
  hasMore: true,
  isLoadingMore: false,
  moreError: undefined,
  loadMore: () => undefined,
};

it("a next page that could not be loaded is named, and can be asked for again", () => {
  expect(renderToStaticMarkup(<LoadMore list={list} />)).toContain("Load more");
  const moreError = new ApiError(400, "refused", "The cursor is too old.");
  const failed = renderToStaticMarkup(<LoadMore list={{ ...list, moreError }} />);
  expect(failed).toContain("Error loading more: The cursor is too old.");
  expect(failed).toContain("Try again");
  expect(failed).not.toContain('aria-busy="true"');
});
