// The cart of the till in a real browser: where amounts and buttons of its lines stand.
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { askedForPriceOf, knows, scan, typeByHand } from "#testing/till/till-hands.ts";
import { openTillStore, type TillStore } from "#testing/till/till-store.ts";

let shop: TillStore;

const lines = [
  ["CART-1", "5"],
  ["CART-2", "1234.50"],
  ["CART-3", "30"],
] as const;

beforeAll(async () => {
  shop = await openTillStore();
  for (const [code] of lines) {
    await shop.item(shop.averyUid, code, 1);
  }
});

afterAll(() => shop.close());

/** The different places at which these end. */
function endsOf(things: Locator): Promise<number[]> {
  return things.evaluateAll((all) => [
    ...new Set(all.map((thing) => Math.round(thing.getBoundingClientRect().right))),
  ]);
}

it("amounts and what takes a line out stand below each other", async () => {
  const page = await shop.till();
  await knows(page, ...lines.map(([code]) => code));
  for (const [code, price] of lines) {
    await scan(page, code);
    await askedForPriceOf(page, `Item ${code}`);
    await typeByHand(page, price);
    await page.keyboard.press("Enter");
  }
  const cart = page.getByRole("region", { name: "Cart" });
  await cart.getByText("$30.00 each").waitFor();
  const takeOut = cart.getByRole("button", { name: /^Take out/u });
  expect(await takeOut.count()).toBe(lines.length);
  expect(await endsOf(takeOut)).toHaveLength(1);
  // The amount is before the button.
  expect(await endsOf(takeOut.locator("xpath=preceding-sibling::*[1]"))).toHaveLength(1);
  expect(shop.pageErrors).toEqual([]);
});
