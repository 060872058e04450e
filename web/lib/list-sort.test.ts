// Tests how the address stores a list's order.
import { expect, it } from "vitest";
import * as z from "zod/mini";
import { nextSort, sortIn, sortParams } from "./list-sort.ts";

const known = z.enum(["name", "amount"]);

it("reads only what the server can sort by", () => {
  expect(sortIn(new URLSearchParams("sort=amount&order=desc"), known)).toEqual({
    by: "amount",
    isDescending: true,
  });
  expect(sortIn(new URLSearchParams("sort=name"), known)?.isDescending).toBe(false);
  expect(sortIn(new URLSearchParams("sort=link&order=desc"), known)).toBeUndefined();
  expect(sortIn(new URLSearchParams("order=desc"), known)).toBeUndefined();
});

it("changes from ascending to descending to the default order, and starts again with another heading", () => {
  const ascending = nextSort(undefined, "name");
  const descending = nextSort(ascending, "name");
  expect([sortParams(ascending), sortParams(descending)]).toEqual([
    { sort: "name", order: undefined },
    { sort: "name", order: "desc" },
  ]);
  expect(nextSort(descending, "name")).toBeUndefined();
  expect(nextSort(descending, "amount")).toEqual({ by: "amount", isDescending: false });
});
