// What a failed read says: about something missing, and about a refusal.
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { ApiError } from "#web/lib/api-error.ts";
import { ErrorState } from "./error-state.tsx";

function said(error: ApiError, rest: object = {}): string {
  return renderToStaticMarkup(
    <ErrorState title="It could not be loaded" error={error} onRetry={() => undefined} {...rest} />,
  );
}

it("ends a refusal with a full stop before it says what is safe", () => {
  const refused = new ApiError(403, "forbidden", "You can only see your own data");
  expect(said(refused)).toContain("You can only see your own data. Nothing was changed.");
  expect(said(new ApiError(503, "busy", "Try again."))).toContain(
    "Try again. Nothing was changed.",
  );
});

it("says nothing about changes where there was only something to read", () => {
  expect(said(new ApiError(0, "offline", "The store does not answer"), { safe: "" })).toContain(
    "The store does not answer.<",
  );
});

it("does not say that something was deleted which cannot have been", () => {
  const missing = { title: "There is no such event", text: "The log has no event there." };
  const shown = said(new ApiError(404, "not_found", "Not found"), { thing: "event", missing });
  expect(shown).toMatch(/There is no such event.*The log has no event there\./u);
  expect(shown).not.toContain("deleted");
});
