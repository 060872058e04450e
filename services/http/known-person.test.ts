// Whether somebody has a profile is asked once for each person who has one, and again for everybody else.
import { expect, test } from "vitest";
import { requireProfile } from "#http/known-person.ts";
import type { Profiles } from "#identity/profiles.ts";
import { openTestApp } from "#testing/service/test-app.ts";

test("who was found once is not looked up again, and who was not found may have a profile later", async () => {
  await using parts = new AsyncDisposableStack();
  const shop = await openTestApp();
  parts.defer(shop.close);
  const asked: string[] = [];
  const profiles: Profiles = {
    ...shop.deps.profiles,
    find: (uid) => {
      asked.push(uid);
      return shop.deps.profiles.find(uid);
    },
  };
  await expect(requireProfile({ profiles }, "nobody-yet")).rejects.toMatchObject({
    status: 404,
    code: "consignor_not_found",
  });
  const avery = await shop.person("Avery");
  await requireProfile({ profiles }, avery.uid);
  await requireProfile({ profiles }, avery.uid);
  await expect(requireProfile({ profiles }, "nobody-yet")).rejects.toMatchObject({ status: 404 });
  expect(asked).toEqual(["nobody-yet", avery.uid, "nobody-yet"]);
});
