// The amounts of the audit log's lists.
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { AuditLine } from "#features/audit/contract.ts";
import { adminColumns, ownColumns } from "./audit-columns.tsx";

const fulfilled: AuditLine = {
  position: 7,
  type: "TradeFulfilled",
  group: "trade",
  title: "Fulfilled: 5 units, the sellers are paid",
  about: null,
  whom: null,
  actor: { uid: null, name: "Store" },
  amount: null,
  happenedAt: "2026-11-27T09:15:00.000Z",
  recordedAt: "2026-11-27T09:15:00.000Z",
};

it("a consignor reads of an event without an own amount that it did not change their balance", () => {
  const amountIn = (columns: typeof ownColumns) =>
    renderToStaticMarkup(<>{columns.find(({ id }) => id === "amount")?.cell(fulfilled)}</>);
  expect(amountIn(ownColumns)).toContain("did not change your balance");
  expect(amountIn(adminColumns)).toContain("moved no money");
});
