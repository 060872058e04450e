// The latest entries of an account: a sign is never torn from its amount where a line breaks on a phone.
import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router-dom";
import { expect, it } from "vitest";
import { RecentLines } from "./recent-lines.tsx";

const line = {
  line: 7,
  kind: "SaleRecorded",
  description: "Desk lamp sold",
  amount: 138.57,
  balanceAfter: 138.57,
  reasons: [
    { label: "Sale price", amount: 277.14 },
    { label: "Store's share (50%)", amount: -138.57 },
  ],
  note: null,
  happenedAt: "2026-11-28T10:00:00.000Z",
  recordedAt: "2026-11-28T10:00:00.000Z",
  isLate: false,
};

it("no amount of an entry's reasons is torn from its minus", () => {
  const html = renderToStaticMarkup(
    <MemoryRouter>
      <RecentLines lines={[line]} historyPath="/history" />
    </MemoryRouter>,
  );
  expect(html).toMatch(/<span[^>]*whitespace-nowrap[^>]*>−\$138\.57<\/span>/u);
  expect(html.replaceAll(/<[^>]*>/gu, "").replaceAll("&#x27;", "'")).toContain(
    "Sale price $277.14, Store's share (50%) −$138.57",
  );
});
