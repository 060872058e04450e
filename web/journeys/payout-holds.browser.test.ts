// Payout holds and alerts in a real browser: the consignor reads why payouts wait, admins see what is wrong and lift a hold.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setBalance } from "#features/accounts/decider.ts";
import { raiseAlert } from "#features/alerts/decider.ts";
import { holdPayouts } from "#features/holds/decider.ts";
import type { BrowserStore } from "#testing/browser/browser-store.ts";
import { openBrowserStore } from "#testing/browser/browser-store.ts";
import { problemsOnBoth } from "#testing/browser/look-at.ts";
import { visit } from "#testing/browser/visit.ts";

let shop: BrowserStore;
let avery = "";

const happenedAt = "2026-11-20T10:00:00.000Z";
const under = (key: string) => ({ actor: "system:test", scope: "store", key, requestHash: "" });

beforeAll(async () => {
  shop = await openBrowserStore();
  await shop.person("robin@shop.test", "Robin", "admin");
  avery = await shop.person("avery@shop.test", "Avery", "user");
  const { ledger, sql } = shop.store;
  const balance = { uid: avery, balanceCents: 5000, expectedCents: null, noteId: null, happenedAt };
  await ledger.execute(setBalance, balance, under("balance"));
  const row = { projection: "balances", rowKey: `consignor:${avery}:available`, atPosition: 3 };
  const reference = `proof:balances:${row.rowKey}:1`;
  const hold = { uid: avery, reference, cause: "proof" as const, ...row, happenedAt };
  await ledger.execute(holdPayouts, hold, under("hold"));
  await ledger.execute(
    raiseAlert,
    {
      key: "books:chain",
      kind: "books",
      subject: "chain",
      rowKey: null,
      count: 2,
      atPosition: 3,
      happenedAt,
    },
    under("alert"),
  );
  await sql`
    update read.proof set proved_at = now(), position = 18204, findings = 0,
      pass_at = now(), pass_accounts = 2`;
});

afterAll(() => shop.close());

const section = (page: Page, name: string) => page.getByRole("region", { name });

describe("while payouts of a consignor are held", () => {
  it("the consignor reads a plain reason instead of the form", async () => {
    const page = await shop.signIn(await shop.visitor(), "avery@shop.test", "/dashboard");
    await page.getByRole("button", { name: "Request payout" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Request payout" });
    await dialog.getByText("Payouts from this account are on hold").waitFor();
    expect(await dialog.getByLabel("Amount").count()).toBe(0);
    expect(await problemsOnBoth(page)).toEqual([]);
    await page.context().close();
  });

  it("an admin sees the alert and the hold, acknowledges the one and lifts the other", async () => {
    const page = await shop.signIn(await shop.visitor(), "robin@shop.test", "/admin/operations");
    const alerts = section(page, "Proof and alerts");
    await alerts.getByText("The proof of the books found 2 problems: chain").waitFor();
    await alerts.getByText(/^Books balanced at \d\d:\d\d, position 18,204$/u).waitFor();
    const holds = section(page, "Payout holds");
    await holds.getByText("Avery").waitFor();
    expect(await problemsOnBoth(page)).toEqual([]);
    await alerts.getByRole("button", { name: "Acknowledge" }).click();
    await alerts.getByText("Seen by Robin").waitFor();

    await visit(page, `${shop.url}/consignors?consignor=${avery}`);
    const held = page.getByRole("region", { name: "Payouts on hold" });
    await held.getByText("a row of balances differed from the log").waitFor();
    expect(await problemsOnBoth(page)).toEqual([]);
    await held.getByRole("button", { name: "Lift hold" }).click();
    const dialog = page.getByRole("dialog", { name: "Lift payout hold" });
    await dialog.getByRole("button", { name: "Lift hold" }).click();
    await dialog.getByText("Enter a reason").waitFor();
    expect(await problemsOnBoth(page)).toEqual([]);
    await dialog.getByLabel("Reason").fill("Counted by hand");
    await dialog.getByRole("button", { name: "Lift hold" }).click();
    await dialog.waitFor({ state: "hidden" });
    await held.waitFor({ state: "hidden" });
  });

  it("the inventory says when the books were last proved, and links to what is open", async () => {
    const page = await shop.signIn(await shop.visitor(), "robin@shop.test", "/admin");
    await page.getByText(/Books balanced at/u).waitFor();
    await page.getByRole("link", { name: "1 open alert" }).click();
    await section(page, "Payout holds").getByText("No payouts are on hold").waitFor();
    expect(shop.pageErrors).toEqual([]);
  });
});
