// A list's order stands in the address, and only what is a column to sort by counts.
import { expect, it } from "vitest";
import { nextSort, sortIn } from "./use-list-sort.ts";

const columns = [{ id: "name", sortBy: String }, { id: "link" }];
const inAddress = (query: string) => sortIn(new URLSearchParams(query), columns);

it("reads the column and the direction from the address, and nothing else", () => {
  expect(inAddress("sort=name")).toEqual({ by: "name", descending: false });
  expect(inAddress("sort=name&order=desc")).toEqual({ by: "name", descending: true });
  expect(inAddress("sort=name&order=x")).toEqual({ by: "name", descending: false });
  for (const query of ["", "order=desc", "sort=link", "sort=other", "sort="]) {
    expect(inAddress(query)).toBeUndefined();
  }
});

it("goes up, down and back to the list's own order", () => {
  const up = nextSort(undefined, "name");
  expect(up).toEqual({ by: "name", descending: false });
  const down = nextSort(up, "name");
  expect(down).toEqual({ by: "name", descending: true });
  expect(nextSort(down, "name")).toBeUndefined();
  expect(nextSort(down, "other")).toEqual({ by: "other", descending: false });
});
