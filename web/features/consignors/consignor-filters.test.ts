// Tests what a choice of the balance does to the other filters of the list of people.
import { expect, test } from "vitest";
import { balanceChanges } from "./consignors-api.ts";

test("who owes the store is listed with deleted people, and the status goes back when the choice is left", () => {
  const none = { money: undefined, status: undefined };
  const owing = balanceChanges(none, "negative");
  expect(owing).toEqual({ money: "negative", status: "all" });
  expect(balanceChanges({ money: "negative", status: "all" }, undefined)).toEqual(none);
  expect(balanceChanges({ money: "negative", status: "all" }, "owed")).toEqual({
    money: "owed",
    status: undefined,
  });
});

test("a status that was chosen stays", () => {
  const deleted = { money: undefined, status: "deleted" } as const;
  expect(balanceChanges(deleted, "negative")).toEqual({ money: "negative", status: "deleted" });
  expect(balanceChanges({ money: "negative", status: "deleted" }, undefined)).toEqual(deleted);
  expect(balanceChanges({ money: "owed", status: "all" }, undefined)).toEqual({
    money: undefined,
    status: "all",
  });
});
