// Goods and money are for people with a profile.
import { expect, test } from "vitest";
import { requireProfile } from "#http/known-person.ts";
import { openTestApp } from "#testing/service/test-app.ts";

test("who has no profile is refused, and who has one by then is not", async () => {
  await using parts = new AsyncDisposableStack();
  const shop = await openTestApp();
  parts.defer(shop.close);
  await expect(requireProfile(shop.deps, "nobody-yet")).rejects.toMatchObject({
    status: 404,
    code: "consignor_not_found",
  });
  const avery = await shop.person("Avery");
  await requireProfile(shop.deps, avery.uid);
  await requireProfile(shop.deps, avery.uid);
  await expect(requireProfile(shop.deps, "nobody-yet")).rejects.toMatchObject({ status: 404 });
});
