// A file that somebody relies on has the newest entries, or there is none.
import { expect, test } from "vitest";
import { openTestApp } from "#testing/service/test-app.ts";

const DAYS = "from=2026-01-01&to=2026-12-31";

test("a report or a statement as a file is refused while the tables do not have the newest entries", async () => {
  const still = await openTestApp({ wakeUp: () => undefined, goesStale: true });
  const as = await still.person("Boss", "admin");
  const { uid } = await still.person("Avery");
  const sale = { consignorID: uid, itemName: "Repair", amount: 45 };
  await still.call("POST", "/api/sales/custom", { as, body: sale });
  const files = [
    `reports/file?${DAYS}&view=months&format=csv`,
    "sales-tax/report?year=2026&format=csv",
    `accounts/${uid}/statement?${DAYS}&format=csv`,
    `accounts/${uid}/years/2026?format=csv`,
    "statements/years/2026?format=csv",
  ];
  const ask = async (path: string) => {
    const { status, body } = await still.call("GET", `/api/${path}`, { as });
    return [path, status, Reflect.get(Object(body), "error")];
  };
  const answers = () => Promise.all(files.map((path) => ask(path)));
  expect(await answers()).toEqual(files.map((path) => [path, 503, "not_caught_up"]));
  await still.runner.catchUp();
  expect(await answers()).toEqual(files.map((path) => [path, 200, undefined]));
  await still.close();
});
