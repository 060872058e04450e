// Payout holds, alerts and paid payouts in a real browser: the consignor reads why payouts wait, admins see what is wrong and
// lift a hold, and mark a payout as returned.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setBalance } from "#features/accounts/decider.ts";
import { raiseAlert } from "#features/alerts/decider.ts";
import { holdPayouts } from "#features/holds/decider.ts";
import { markPayoutPaid, requestPayout } from "#features/payouts/decider.ts";
import { returnPayout } from "#features/payouts/decider-return.ts";
import type { BrowserStore } from "#testing/browser/browser-store.ts";
import { openBrowserStore } from "#testing/browser/browser-store.ts";
import { brokenWords } from "#testing/browser/cut-off.ts";
import { problemsOf, problemsOnBoth, showAs } from "#testing/browser/look-at.ts";
import { visit } from "#testing/browser/visit.ts";

let shop: BrowserStore;
let robin: Page;
let avery = "";

const happenedAt = "2026-11-20T10:00:00.000Z";
const under = (key: string) => ({ actor: "system:test", scope: "store", key, requestHash: "" });

beforeAll(async () => {
  shop = await openBrowserStore();
  await shop.person("robin@shop.test", "Robin", "admin");
  avery = await shop.person("avery@shop.test", "Avery", "user");
  robin = await shop.signedIn(await shop.visitor(), "robin@shop.test");
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
    await shop.leave(page.context());
  });

  it("an admin sees the alert and the hold, acknowledges the one and lifts the other", async () => {
    const page = robin;
    await visit(page, `${shop.url}/admin/operations`);
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
    await showAs(robin, "desktop", "light");
    await visit(robin, `${shop.url}/admin`);
    await robin.getByText(/Books balanced at/u).waitFor();
    await robin.getByRole("link", { name: "1 open alert" }).click();
    await section(robin, "Payout holds").getByText("No payouts are on hold").waitFor();
    expect(shop.pageErrors).toEqual([]);
  });
});

describe("a list of paid payouts", () => {
  const paidAt = "2024-05-06T12:00:00.000Z";
  let page: Page;
  const amounts = [1000, 2000, 3000];
  let payouts: readonly { readonly payoutId: string; readonly consignorId: string }[] = [];

  beforeAll(async () => {
    const blake = await shop.person("blake@shop.test", "Blake Rivers", "user");
    payouts = amounts.map((cents) => ({
      payoutId: `00000000-0000-4000-8000-00000000${cents}`,
      consignorId: blake,
    }));
    const { ledger } = shop.store;
    const common = { expectedCents: null, noteId: null, happenedAt: paidAt };
    const balance = { uid: blake, balanceCents: 10_000, ...common };
    await ledger.execute(setBalance, balance, under("blakes-balance"));
    for (const [index, payout] of payouts.entries()) {
      const amountCents = amounts[index] ?? 0;
      const handle = { handleId: payout.payoutId, handleHash: "0".repeat(64) };
      const request = { ...payout, amountCents, method: "venmo" as const, ...handle };
      await ledger.execute(
        requestPayout,
        { ...request, happenedAt: paidAt },
        under(`request-${index}`),
      );
      await ledger.execute(
        markPayoutPaid,
        { ...payout, reference: null, handleId: null, happenedAt: paidAt },
        under(`pay-${index}`),
      );
    }
    await ledger.execute(setBalance, { ...balance, balanceCents: -12_623 }, under("blakes-debt"));
  });

  it("keeps the open form and says so when another admin was faster, and keeps the focus", async () => {
    page = robin;
    await visit(page, `${shop.url}/payout-requests?status=paid`);
    const nameOf = (amount: string) => `Mark as returned: the payout of ${amount} to Blake Rivers`;
    const focused = () =>
      page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? "");
    const formOf = (amount: string) =>
      page.getByRole("dialog", { name: `Mark payout of ${amount} to Blake Rivers as returned` });
    await page.getByRole("button", { name: nameOf("$30.00") }).press("Enter");
    await formOf("$30.00").getByText("Blake Rivers, available").waitFor();
    const change = formOf("$30.00").getByRole("table", { name: "Before and after" });
    await page.setViewportSize({ width: 320, height: 740 });
    await change.getByText("owed to the store").first().waitFor();
    expect(
      await change.evaluate((table) => table.scrollWidth - (table.parentElement?.clientWidth ?? 0)),
    ).toBeLessThanOrEqual(0);
    expect(await brokenWords(change)).toEqual([]);
    await showAs(page, "desktop", "light");
    await formOf("$30.00").getByLabel("Reason").fill("Not typed to the end");
    const [, , third] = payouts;
    await shop.store.ledger.execute(
      returnPayout,
      {
        payoutId: third?.payoutId ?? "",
        consignorId: third?.consignorId ?? "",
        noteId: third?.payoutId ?? "",
        happenedAt: paidAt,
      },
      under("faster"),
    );
    await formOf("$30.00").getByText("marked as returned in the meantime").waitFor();
    // The row behind it is gone.
    await expect.poll(() => page.getByLabel(nameOf("$30.00"), { exact: true }).count()).toBe(0);
    await expect.poll(() => problemsOf(page)).toEqual([]);
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toMatch(/in the meantime/u);
    await page.keyboard.press("Escape");
    await formOf("$30.00").waitFor({ state: "hidden" });
    await expect.poll(focused).toBe(nameOf("$20.00"));

    await page.keyboard.press("Enter");
    await formOf("$20.00").getByLabel("Reason").fill("Unknown handle");
    await page.keyboard.press("Enter");
    await formOf("$20.00").waitFor({ state: "hidden" });
    await expect.poll(focused).toBe(nameOf("$10.00"));
  });

  it("is found by person and period, with the sum of what is found, and its address keeps that", async () => {
    const total = page.getByRole("region", { name: "Totals" });
    const search = page.getByRole("searchbox", { name: "Search payouts" });
    const path = "/payout-requests?status=returned";
    const asked: string[] = [];
    page.on("request", (request) => void asked.push(new URL(request.url()).pathname));
    const fails = /\/api\/payouts\/settled\?/u;
    await page.route(fails, (route) => route.fulfill({ status: 500, json: {} }));
    // Loaded anew, because the pending ones may be cached.
    await page.goto(`${shop.url}${path}`);
    await page.getByText("The payouts could not be loaded").waitFor();
    // The list of pending ones, which is not on screen, is not asked for, so it is not what is up to date either.
    expect(asked.filter((call) => call === "/api/payouts/pending")).toEqual([]);
    expect(await page.getByText(/Up to date/u).count()).toBe(0);
    page.removeAllListeners("request");
    await page.unroute(fails);
    await page.getByRole("button", { name: "Retry" }).click();
    await expect.poll(() => total.innerText()).toMatch(/\$50\.00/u);
    await page.getByText("2 payouts", { exact: true }).waitFor();
    await visit(page, `${shop.url}${path}&from=2024-05-07&to=2024-05-06`);
    await page.getByText("From is after To").waitFor();
    await visit(page, `${shop.url}${path}&from=2024-05-06&to=2024-05-06`);
    await expect.poll(() => total.innerText()).toMatch(/\$30\.00/u);
    const held = Promise.withResolvers<void>();
    await page.route(/\/api\/payouts\/settled\?.*q=rivers/u, async (route) => {
      await held.promise;
      await route.continue();
    });
    await search.fill("rivers");
    await expect.poll(() => page.url()).toMatch(/q=rivers/u);
    // The sum of the filters before is gone until the new one is there.
    await expect.poll(() => total.innerText()).not.toMatch(/\$/u);
    held.resolve();
    await expect.poll(() => total.innerText()).toMatch(/\$30\.00/u);
    await page.getByText("1 payout", { exact: true }).waitFor();
    expect(await problemsOnBoth(page)).toEqual([]);
    await search.fill("somebody else");
    await page.getByText("No returned payout matches").waitFor();
    await page.getByRole("button", { name: "Clear", exact: true }).last().click();
    await expect.poll(() => total.innerText()).toMatch(/\$50\.00/u);
    await expect.poll(() => page.url()).toBe(`${shop.url}${path}`);
    await page.getByRole("combobox", { name: "Status" }).selectOption("pending");
    await page.getByText("No pending payouts").waitFor();
  });

  it("says on a phone which payouts a sum is of, and what was done when", async () => {
    const path = "/payout-requests?from=2024-05-06&to=2024-05-06";
    await visit(page, `${shop.url}${path}&status=returned`);
    await showAs(page, "phone", "light");
    const total = page.getByRole("region", { name: "Totals" });
    await expect.poll(() => total.innerText()).toMatch(/\$30\.00\s+Matching the filters/u);
    await page.getByText("Came back").waitFor();
    await visit(page, `${shop.url}${path}&status=paid`);
    await expect
      .poll(() => total.innerText())
      .toMatch(/\$10\.00\s+Matching the filters, without those returned/u);
    await showAs(page, "desktop", "light");
    // On a tablet both days of the period stand side by side, and the status beside the search.
    await page.setViewportSize({ width: 820, height: 800 });
    const topOf = async (label: string) =>
      (await page.getByLabel(label, { exact: true }).boundingBox())?.y;
    expect(await topOf("From")).toBe(await topOf("To"));
    expect(await topOf("Status")).toBe(await topOf("Search payouts"));
    await page.getByRole("button", { name: "Clear", exact: true }).click();
    await expect.poll(() => page.getByLabel("Dates").inputValue()).toBe("any");
    // Also days that were not entered yet.
    await page.getByLabel("Method").selectOption("venmo");
    await page.getByLabel("Dates").selectOption("custom");
    await page.getByLabel("From", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Clear", exact: true }).first().click();
    await expect.poll(() => page.getByLabel("Dates").inputValue()).toBe("any");
    // It has room for rows, also with days of earlier years.
    await page
      .getByRole("table", { name: "Paid payouts" })
      .getByText("6 May 2024", { exact: true })
      .first()
      .waitFor();
    await showAs(page, "desktop", "light");
  });

  it("keeps the focus in a person's drawer when no payout is left to mark there", async () => {
    await visit(page, `${shop.url}/consignors?consignor=${payouts[0]?.consignorId ?? ""}`);
    const drawer = page.getByRole("dialog", { name: "Blake Rivers", exact: true });
    await drawer.getByRole("button", { name: /^Mark as returned/u }).press("Enter");
    const form = page.getByRole("dialog", {
      name: "Mark payout of $10.00 to Blake Rivers as returned",
    });
    await form.getByLabel("Reason").fill("Sent to another person");
    await page.keyboard.press("Enter");
    await form.waitFor({ state: "hidden" });
    await drawer.getByText("Sent to another person").first().waitFor();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("role")))
      .toBe("dialog");
    expect(await problemsOnBoth(page)).toEqual([]);
  });
});

describe("the printed list of payout requests", () => {
  it("has the whole handle of each request, and no buttons", async () => {
    const page = await shop.signIn(await shop.visitor(), "avery@shop.test", "/dashboard");
    await page.getByRole("button", { name: "Request payout" }).first().click();
    const form = page.getByRole("dialog", { name: "Request payout" });
    await form.getByText("Venmo", { exact: true }).click();
    await form.getByLabel("Venmo username").fill("@averyandtheothers-of-the-shop");
    await form.getByRole("button", { name: "All" }).click();
    await form.getByRole("button", { name: "Request payout" }).click();
    await form.waitFor({ state: "hidden" });
    await shop.leave(page.context());

    await showAs(robin, "desktop", "light");
    await visit(robin, `${shop.url}/payout-requests`);
    await robin.getByText("Avery").first().waitFor();
    await robin.emulateMedia({ media: "print" });
    // The width of A4 without its margins. A table is not measured again for paper.
    const list = robin.getByRole("table", { name: "Pending payouts" });
    await list.evaluate((table) => table.style.setProperty("width", "718px"));
    const handle = list.getByText("@averyandtheothers-of-the-shop").filter({ visible: true });
    await expect
      .poll(() => handle.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth))
      .toBe(0);
    await expect
      .poll(() =>
        list
          .getByLabel(/^(?:Copy|Pay|QR) /u)
          .filter({ visible: true })
          .count(),
      )
      .toBe(0);
    await robin.emulateMedia({ media: null });
  });
});
