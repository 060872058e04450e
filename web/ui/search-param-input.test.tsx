// What the search field of a list takes.
import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router-dom";
import { expect, it } from "vitest";
import { userListQuery } from "#features/users/contract-people.ts";
import { SearchParamInput } from "./search-param-input.tsx";

it("takes no more than every list can be searched for", () => {
  const field = renderToStaticMarkup(
    <MemoryRouter>
      <SearchParamInput param="q" label="Search" placeholder="Name" />
    </MemoryRouter>,
  );
  const [, longest] = /maxlength="(\d+)"/iu.exec(field) ?? [];
  expect(Number(longest)).toBeGreaterThan(0);
  expect(userListQuery.safeParse({ q: "x".repeat(Number(longest)) }).success).toBe(true);
});
