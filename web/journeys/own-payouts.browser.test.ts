// A consignor's payout requests on the dashboard, in a real browser: what was typed stays, and the keyboard stays in the list.
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { setBalance } from "#features/accounts/decider.ts";
import { returnPayout } from "#features/payouts/decider-return.ts";
import { deletePayout, markPayoutPaid, requestPayout } from "#features/payouts/decider.ts";
import { requestPayoutResponse } from "#features/payouts/contract.ts";
import type { BrowserStore } from "#testing/browser/browser-store.ts";
import { openBrowserStore } from "#testing/browser/browser-store.ts";
import { problemsOnBoth } from "#testing/browser/look-at.ts";

let shop: BrowserStore;
let avery: Page;
let averyUid: string;
let form: Locator;

const happenedAt = new Date().toISOString();

beforeAll(async () => {
  shop = await openBrowserStore();
  averyUid = await shop.person("avery@store.test", "Avery Stone", "user");
  const balance = { uid: averyUid, balanceCents: 10_000, expectedCents: null, noteId: null };
  await shop.execute(setBalance, { ...balance, happenedAt });
  avery = await shop.signIn(await shop.visitor(), "avery@store.test", "/dashboard");
  form = avery.getByRole("dialog", { name: "Request payout" });
});

afterAll(() => shop.close());

it("keeps the open form and what was typed while reads that failed are tried again", async () => {
  const reads = /\/api\/payouts\/[^/]+\/(?:holds|payment-info)$/u;
  const again = { asked: 0, answered: Promise.withResolvers<void>() };
  let isCut = true;
  await avery.route(reads, async (route) => {
    if (isCut) {
      return route.fulfill({ status: 500, json: { error: "internal_error", message: "Cut" } });
    }
    again.asked += 1;
    await again.answered.promise;
    return route.continue();
  });
  await avery.getByRole("button", { name: "Request payout" }).first().click();
  await form.getByText("Venmo", { exact: true }).click();
  await form.getByLabel("Venmo username").fill("@avery-stone");
  await form.getByLabel("Amount").fill("12.50");
  await form.evaluate((element) => element.setAttribute("data-opened", "first"));
  isCut = false;
  await avery.evaluate(() => dispatchEvent(new Event("online")));
  await expect.poll(() => again.asked).toBe(2);
  const answers = ["holds", "payment-info"].map((read) =>
    avery.waitForResponse((answer) => answer.url().endsWith(read)),
  );
  again.answered.resolve();
  await Promise.all(answers);
  await expect.poll(() => form.getByLabel("Amount").inputValue()).toBe("12.50");
  expect(await form.getByLabel("Venmo username").inputValue()).toBe("@avery-stone");
  expect(await form.getAttribute("data-opened")).toBe("first");
  await avery.unroute(reads);
});

it("takes the error back once something is changed, also for another method", async () => {
  await avery.reload();
  await avery.getByRole("button", { name: "Request payout" }).first().click();
  await form.getByText("Venmo", { exact: true }).click();
  const missing = form.getByText("Please enter your payment handle");
  await form.getByLabel("Amount").fill("12.50");
  await form.getByLabel("Venmo username").fill("@");
  await form.getByRole("button", { name: "Request payout" }).click();
  await missing.waitFor();
  await form.getByText("CashApp", { exact: true }).click();
  await form.getByLabel("Cashtag").waitFor();
  expect(await missing.count()).toBe(0);
});

it("leads the keyboard to the next request when one is withdrawn, and to the title after the last", async () => {
  for (const amountCents of [500, 600]) {
    const id = `00000000-0000-4000-8000-000000000${amountCents}`;
    const whose = { payoutId: id, consignorId: averyUid, handleId: id, handleHash: "0".repeat(64) };
    await shop.execute(requestPayout, { ...whose, amountCents, method: "cashapp", happenedAt });
  }
  await avery.reload();
  const focused = () =>
    avery.evaluate(() => {
      const element = document.activeElement;
      return element?.getAttribute("aria-label") ?? element?.tagName;
    });
  const withdraw = async (name: string) => {
    await avery.getByRole("button", { name }).press("Enter");
    const question = avery.getByRole("alertdialog");
    await question.getByRole("button", { name: "Withdraw", exact: true }).press("Enter");
    await question.waitFor({ state: "hidden" });
  };
  await withdraw("Withdraw: the payout of $5.00");
  await expect.poll(focused).toBe("Withdraw: the payout of $6.00");
  await withdraw("Withdraw: the payout of $6.00");
  await expect.poll(focused).toBe("H1");
});

it("says what became of a request that was withdrawn in another tab, and of no handle that is not there", async () => {
  const id = "00000000-0000-4000-8000-000000000400";
  const whose = { payoutId: id, consignorId: averyUid, handleId: id, handleHash: "0".repeat(64) };
  const asked = { ...whose, amountCents: 400, method: "cashapp", happenedAt } as const;
  await shop.execute(requestPayout, asked);
  await avery.reload();
  await avery.getByRole("button", { name: "Change where it goes: the payout of $4.00" }).click();
  const where = avery.getByRole("dialog", { name: "Change where $4.00 goes" });
  await where.getByText("to the handle below").waitFor();
  const own = { payoutId: id, consignorId: averyUid, actorUid: averyUid };
  await shop.execute(deletePayout, { ...own, by: "consignor", happenedAt });
  await where.getByText("was withdrawn, paid or deleted in the meantime").waitFor();
  expect(await where.getByText("to the handle below").count()).toBe(0);
  await avery.keyboard.press("Escape");

  const later = "00000000-0000-4000-8000-000000000401";
  await shop.execute(requestPayout, { ...asked, payoutId: later, handleId: later });
  await avery.reload();
  await avery.getByRole("button", { name: "Withdraw: the payout of $4.00" }).click();
  const question = avery.getByRole("alertdialog", { name: "Withdraw the request for $4.00?" });
  await question.getByText("Available afterwards").waitFor();
  await shop.execute(deletePayout, { ...own, payoutId: later, by: "consignor", happenedAt });
  await question.getByText("in the meantime. Nothing is left to withdraw.").waitFor();
  expect(await question.getByRole("button").allTextContents()).toEqual(["Close"]);
  await avery.keyboard.press("Escape");
  await avery.goto(`${shop.url}/sales-history?tab=payouts`);
  await avery.getByRole("columnheader", { name: "Settled" }).waitFor();
});

it("says at a handle that the last payout to it came back, in a new request and in one that is there, until another one is entered", async () => {
  await avery.goto(`${shop.url}/dashboard`);
  const open = () => avery.getByRole("button", { name: "Request payout" }).first().click();
  await open();
  await form.getByText("CashApp", { exact: true }).click();
  await form.getByLabel("Cashtag").fill("$averyston");
  await form.getByLabel("Amount").fill("65");
  const answered = avery.waitForResponse((answer) => answer.url().endsWith("/request"));
  await form.getByRole("button", { name: "Request payout" }).click();
  const { payoutId } = requestPayoutResponse.parse(await (await answered).json());
  await form.waitFor({ state: "hidden" });
  const own = { payoutId, consignorId: averyUid, happenedAt: new Date().toISOString() };
  await shop.execute(markPayoutPaid, { ...own, reference: null, handleId: null });
  const noteId = "00000000-0000-4000-8000-000000000065";
  await shop.execute(returnPayout, { ...own, noteId });
  await avery.getByText("came back").first().waitFor();
  await open();
  const handle = form.getByLabel("Cashtag");
  expect(await handle.inputValue()).toBe("$averyston");
  const doubt = form.getByText(/^\$65\.00 to this handle came back on \d+ \w+\. Check it/u);
  await doubt.waitFor();
  expect(await problemsOnBoth(avery)).toEqual([]);
  await handle.fill("$averystone");
  await doubt.waitFor({ state: "hidden" });
  await handle.fill("$averyston");
  await doubt.waitFor();
  await form.getByLabel("Amount").fill("20");
  await form.getByRole("button", { name: "Request payout" }).click();
  await avery.getByRole("button", { name: "Change where it goes: the payout of $20.00" }).click();
  const where = avery.getByRole("dialog", { name: "Change where $20.00 goes" });
  const same = where.getByText(/^\$65\.00 to this handle came back on \d+ \w+\. Check it/u);
  await same.waitFor();
  expect(await problemsOnBoth(avery)).toEqual([]);
  await where.getByLabel("Cashtag").fill("$averystone");
  await same.waitFor({ state: "hidden" });
});

it("the palette finds own payouts by the handle, and opens one with what funded it", async () => {
  await avery.goto(`${shop.url}/dashboard`);
  await avery.getByRole("button", { name: "Find anything" }).click();
  const palette = avery.getByRole("dialog").filter({ has: avery.getByRole("combobox") });
  await palette.getByRole("combobox").fill("$averyston");
  const cameBack = palette.getByRole("option", { name: /Payout of \$65\.00.*came back/u });
  await cameBack.waitFor();
  expect(await problemsOnBoth(avery)).toEqual([]);
  await cameBack.click();
  await avery.waitForURL(/sales-history\?tab=payouts&why=payout/u);
  await avery.getByRole("dialog", { name: "What funded this" }).waitFor();
});
