// Payout requests until they are paid, in a real browser: one admin at a time pays, and the consignor changes or withdraws one.
import type { Locator, Page, Route } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { setBalance } from "#features/accounts/decider.ts";
import { markPayoutPaid } from "#features/payouts/decider.ts";
import { claimPayout } from "#features/payouts/decider-claim.ts";
import { returnPayout } from "#features/payouts/decider-return.ts";
import type { BrowserStore } from "#testing/browser/browser-store.ts";
import { openBrowserStore } from "#testing/browser/browser-store.ts";
import { problemsOf, problemsOnBoth, showAs } from "#testing/browser/look-at.ts";
import { visit } from "#testing/browser/visit.ts";

let shop: BrowserStore;
let admin: Page;
let sam: Page;
let avery: Page;
let samUid: string;
let averyUid: string;

beforeAll(async () => {
  shop = await openBrowserStore();
  await shop.person("admin@store.test", "Robin Admin", "admin");
  samUid = await shop.person("sam@store.test", "Sam Admin", "admin");
  averyUid = await shop.person("avery@store.test", "Avery Stone", "user");
  const happenedAt = new Date().toISOString();
  const balance = { uid: averyUid, balanceCents: 8_525, expectedCents: null, noteId: null };
  await shop.execute(setBalance, { ...balance, happenedAt });
  const enter = async (email: string) => shop.signIn(await shop.visitor(), email);
  admin = await enter("admin@store.test");
  sam = await enter("sam@store.test");
  avery = await enter("avery@store.test");
  await showAs(avery, "phone", "light");
});

afterAll(() => shop.close());

function open(page: Page, path: string): Promise<void> {
  return visit(page, `${shop.url}${path}`);
}

async function save(form: Locator, act = "Save"): Promise<void> {
  await form.getByRole("button", { name: act, exact: true }).click();
  await form.waitFor({ state: "hidden" });
}

/** A toast. The same text may also appear elsewhere. */
function said(page: Page, text: string): Locator {
  return page.getByRole("region", { name: "Notifications" }).getByText(text);
}

function focusedIn(page: Page): Promise<string | undefined> {
  return page.evaluate(() => document.activeElement?.tagName);
}

async function requestPayout(handle: string, amount: string): Promise<void> {
  await open(avery, "/dashboard");
  await avery.getByRole("button", { name: "Request payout" }).first().click();
  const form = avery.getByRole("dialog");
  await form.getByText("CashApp", { exact: true }).click();
  await form.getByLabel("Cashtag").fill(handle);
  await form.getByLabel("Amount").fill(amount);
  await save(form, "Request payout");
}

/** From now on the page's list of requests is the first one that it reads; until the returned function is called. */
async function keepList(page: Page): Promise<() => Promise<void>> {
  const lists = /payouts\/pending\?limit=200/u;
  let first: ReturnType<Route["fetch"]> | undefined;
  await page.route(lists, async (route) => {
    first ??= route.fetch();
    await route.fulfill({ response: await first });
  });
  return () => page.unroute(lists);
}

it("lets one admin at a time pay a request, and its consignor change or withdraw it only until then", async () => {
  const claims: string[] = [];
  for (const page of [admin, sam]) {
    page.on("request", (request) => {
      if (request.method() === "POST" && request.url().endsWith("/claim")) {
        claims.push(request.url());
      }
    });
  }
  await requestPayout("$averi", "20");
  const endOld = await keepList(admin);
  await open(admin, "/payout-requests");
  await admin.getByRole("row", { name: /\$averi/u }).waitFor();
  await avery.getByRole("button", { name: "Change where it goes: the payout of $20.00" }).click();
  const where = avery.getByRole("dialog", { name: "Change where $20.00 goes" });
  const tag = where.getByLabel("Cashtag");
  await expect.poll(() => tag.inputValue()).toBe("$averi");
  await tag.fill("$avery");
  expect(await problemsOf(avery)).toEqual([]);
  await save(where);
  await said(avery, "Payout details updated").waitFor();

  // Avery opens it once more, and the store is faster. On a new page no earlier dialog's button can get the focus.
  await avery.reload();
  await avery.getByRole("button", { name: /^Change where it goes/u }).press("Enter");
  await expect.poll(() => tag.inputValue()).toBe("$avery");
  await open(sam, "/payout-requests");
  const paidTo: { url: string; referrer: string | undefined }[] = [];
  await admin.context().route("https://cash.app/**", (route) => {
    paidTo.push({ url: route.request().url(), referrer: route.request().headers()["referer"] });
    return route.fulfill({ contentType: "text/html", body: "CashApp" });
  });
  const pay = "Pay Avery Stone with CashApp";
  const opened = admin.waitForEvent("popup");
  await admin.getByRole("button", { name: pay }).dblclick();
  await opened;
  await expect
    .poll(() => paidTo)
    .toEqual([{ url: "https://cash.app/%24avery/20.00", referrer: undefined }]);
  await endOld();
  await open(admin, "/admin/today");
  await open(admin, "/payout-requests");
  await admin.getByRole("row", { name: /You are paying until/u }).waitFor();
  await expect.poll(() => admin.getByRole("link", { name: pay }).count()).toBe(1);
  expect(claims).toHaveLength(1);

  await sam.getByRole("row", { name: /Robin Admin is paying until/u }).waitFor();
  for (const name of [pay, "QR code to pay Avery Stone", "Delete Avery Stone's request"]) {
    await expect.poll(() => sam.getByRole("button", { name }).count()).toBe(0);
  }
  expect(await problemsOnBoth(sam)).toEqual([]);
  await where.getByText("The store is paying this, so it can no longer be changed").waitFor();
  await where.getByRole("button", { name: "Close" }).last().press("Enter");
  await expect.poll(() => focusedIn(avery)).toBe("H1");
  await avery.getByText(/The store began to pay this .*\d\d:\d\d/u).waitFor();
  await expect.poll(() => avery.getByRole("button", { name: /^Withdraw/u }).count()).toBe(0);
  expect(await problemsOf(avery)).toEqual([]);

  await admin
    .getByRole("button", { name: "Not sent: the payout of $20.00 to Avery Stone" })
    .click();
  await said(admin, "Nobody is paying this request").waitFor();
  await avery.getByRole("button", { name: "Withdraw: the payout of $20.00" }).press("Enter");
  const question = avery.getByRole("alertdialog");
  await question.getByText("$85.25").waitFor();
  expect(await problemsOf(avery)).toEqual([]);
  await question.getByRole("button", { name: "Withdraw", exact: true }).press("Enter");
  await question.waitFor({ state: "hidden" });
  await said(avery, "Payout request withdrawn. $85.25 is available").waitFor();
  await avery.getByText("You withdrew the request.").waitFor();
  await expect.poll(() => focusedIn(avery)).toBe("H1");
  await open(avery, "/sales-history?tab=payouts");
  const payouts = avery.locator("tr, li");
  await payouts.filter({ hasText: "$20.00" }).filter({ hasText: "Withdrawn" }).first().waitFor();
});

it("asks before a request is paid that somebody began to pay, and keeps the transfer's number", async () => {
  await requestPayout("$avery", "30");
  const [request] = await shop.store.sql<{ id: string }[]>`
    select data ->> 'payoutId' as id from log.events
    where type = 'PayoutRequested' order by position desc limit 1`;
  const happenedAt = new Date(Date.now() - 11 * 60_000).toISOString();
  const payout = { payoutId: request?.id ?? "", consignorId: averyUid };
  await shop.execute(claimPayout, { ...payout, adminUid: samUid, happenedAt });

  // Sam may never come back: another admin who looked says that no money was sent, so that Avery can act again.
  await open(avery, "/sales-history?tab=payouts");
  await avery.getByText(/The store began to pay this/u).waitFor();
  await open(admin, "/payout-requests");
  const begun = admin.getByRole("row", { name: /Sam Admin began to pay at/u });
  await begun.waitFor();
  await admin
    .getByRole("button", { name: "Not sent: the payout of $30.00 to Avery Stone" })
    .click();
  const asked = admin.getByRole("alertdialog", {
    name: "Was the $30.00 not sent to Avery Stone?",
  });
  await asked.getByText(/did not say whether the money was sent/u).waitFor();
  expect(await problemsOf(admin)).toEqual([]);
  await save(asked, "Not sent");
  await said(admin, "Nobody is paying this request").waitFor();
  await avery.getByRole("button", { name: "Withdraw: the payout of $30.00" }).waitFor();
  await begun.waitFor({ state: "hidden" });

  await shop.execute(claimPayout, { ...payout, adminUid: samUid, happenedAt });
  await begun.waitFor();
  await admin.getByRole("button", { name: "QR code to pay Avery Stone" }).click();
  const question = admin.getByRole("alertdialog");
  await question.getByText(/did not say whether the money was sent/u).waitFor();
  expect(await problemsOf(admin)).toEqual([]);
  await question.getByRole("button", { name: "Pay now" }).click();
  const code = admin.getByRole("dialog", { name: "Pay $30.00 to Avery Stone" });
  await code.getByLabel("QR code of Avery Stone's pay link").waitFor();
  await code.getByRole("button", { name: "Close" }).first().click();
  await admin.getByRole("row", { name: /You are paying until/u }).waitFor();

  await admin.getByRole("button", { name: "Mark as paid: Avery Stone" }).click();
  await question.getByLabel("Transfer reference").fill("T-4711");
  expect(await problemsOf(admin)).toEqual([]);
  await save(question, "Mark as paid");
  await open(admin, "/payout-requests?status=paid");
  await admin.getByText("T-4711").first().waitFor();
  expect(await problemsOnBoth(admin)).toEqual([]);
  await showAs(admin, "desktop", "light");
  await admin.getByRole("link", { name: /\$30\.00/u }).click();
  await admin.getByRole("dialog").getByText("Transfer T-4711").waitFor();
  await open(avery, "/sales-history?tab=payouts");
  await avery.getByText("T-4711").first().waitFor();
  expect(await problemsOf(avery)).toEqual([]);
  await open(avery, "/dashboard");
  await avery.getByText(/The store sent it by CashApp to .?\$avery/u).waitFor();
});

it("the code to pay goes when its time has run out, and says why", async () => {
  await requestPayout("$avery", "15");
  const late = await admin.context().newPage();
  await late.clock.install();
  await late.goto(`${shop.url}/payout-requests`);
  await late.getByRole("button", { name: "QR code to pay Avery Stone" }).click();
  const dialog = late.getByRole("dialog", { name: "Pay $15.00 to Avery Stone" });
  const code = dialog.getByLabel("QR code of Avery Stone's pay link");
  await code.waitFor();
  await late.getByRole("row", { name: /You are paying until/u, includeHidden: true }).waitFor();
  await late.clock.fastForward("11:00");
  await dialog.getByText("Your time to pay has run out").waitFor();
  await expect.poll(() => code.count()).toBe(0);
  await expect.poll(() => dialog.getByRole("link").count()).toBe(0);
  expect(await problemsOf(late)).toEqual([]);
  await dialog.getByRole("button", { name: "Close" }).first().click();
  await late.getByRole("row", { name: /You began to pay at/u }).waitFor();
  await late.close();
});

it("names the handle that is recorded as paid, and says when the consignor changed it in the meantime", async () => {
  const change = async (amount: string, before: string, handle: string) => {
    await avery
      .getByRole("button", { name: `Change where it goes: the payout of ${amount}` })
      .click();
    const where = avery.getByRole("dialog", { name: `Change where ${amount} goes` });
    // Filled in once it is known; what is typed before that would be added to it.
    await expect.poll(() => where.getByLabel("Cashtag").inputValue()).toBe(before);
    await where.getByLabel("Cashtag").fill(handle);
    await save(where);
  };
  await requestPayout("$first", "10");
  await open(admin, "/payout-requests");
  await admin.getByRole("row", { name: /\$first/u }).waitFor();
  await open(avery, "/sales-history?tab=payouts");
  const question = admin.getByRole("alertdialog");
  await admin
    .getByRole("row", { name: /\$first/u })
    .getByRole("button", { name: "Mark as paid" })
    .click();
  await change("$10.00", "$first", "$second");
  await question.getByText("Avery Stone changed the handle just now to $second.").waitFor();
  await question.getByText(/by CashApp to \$first\./u).waitFor();
  expect(await problemsOf(admin)).toEqual([]);
  await save(question, "Not yet");

  const row = admin.getByRole("row", { name: /\$second/u });
  await row.getByRole("checkbox").check();
  await admin.getByRole("button", { name: "Mark as paid", exact: true }).click();
  const line = question.getByRole("listitem");
  await line.getByText("CashApp to $second").waitFor();
  await change("$10.00", "$second", "$third");
  await line.getByText("Avery Stone changed the handle just now to $third.").waitFor();
  expect(await problemsOnBoth(admin)).toEqual([]);
  await showAs(admin, "desktop", "light");
  await save(question, "Mark 1 as paid");
  await open(admin, "/payout-requests?status=paid");
  await admin.getByText("$second").first().waitFor();
  expect(await admin.getByText("$third").count()).toBe(0);
});

it("tells whoever pays that the last transfer to the handle came back, in the list and before one or many are marked", async () => {
  await requestPayout("$averylost", "12");
  const [request] = await shop.store.sql<{ id: string }[]>`
    select data ->> 'payoutId' as id from log.events
    where type = 'PayoutRequested' order by position desc limit 1`;
  const happenedAt = new Date().toISOString();
  const lost = { payoutId: request?.id ?? "", consignorId: averyUid, happenedAt };
  await shop.execute(markPayoutPaid, { ...lost, reference: null, handleId: null });
  const noteId = "00000000-0000-4000-8000-000000000012";
  await shop.execute(returnPayout, { ...lost, noteId });
  await requestPayout("$AveryLost", "11");

  const cameBack = /^\$12\.00 to this handle came back on \d+ \w+\.$/u;
  await open(admin, "/payout-requests");
  const row = admin.getByRole("row", { name: /\$AveryLost/u });
  await row.getByText(cameBack).waitFor();
  expect(await problemsOnBoth(admin)).toEqual([]);
  await admin.setViewportSize({ width: 1024, height: 800 });
  expect(await problemsOf(admin)).toEqual([]);
  await showAs(admin, "desktop", "light");
  const question = admin.getByRole("alertdialog");
  await row.getByRole("checkbox").check();
  await admin.getByRole("button", { name: "Mark as paid", exact: true }).click();
  await question.getByText(cameBack).waitFor();
  await save(question, "Not yet");
  await row.getByRole("button", { name: "Mark as paid" }).click();
  await question.getByText(cameBack).waitFor();
  expect(await problemsOnBoth(admin)).toEqual([]);
  await showAs(admin, "desktop", "light");
  await save(question, "Not yet");
});

it("open questions end when the payout was paid in another tab, so that nobody sends it twice", async () => {
  const row = (page: Page) => page.getByRole("row", { name: /\$AveryLost/u });
  // The other two questions, each in a tab of its own.
  const enter = async () => shop.signIn(await shop.visitor(), "admin@store.test");
  const [deleting, many] = [await enter(), await enter()];
  for (const page of [deleting, many]) {
    await showAs(page, "desktop", "light");
    await open(page, "/payout-requests");
  }
  await row(deleting)
    .getByRole("button", { name: /^Delete/u })
    .click();
  await deleting.getByRole("alertdialog", { name: "Delete Avery Stone's request?" }).waitFor();
  await row(many).getByRole("checkbox").check();
  await many.getByRole("button", { name: "Mark as paid", exact: true }).click();
  await many.getByRole("alertdialog", { name: "Mark 1 payout as paid?" }).waitFor();
  await open(admin, "/payout-requests");
  await row(admin).getByRole("button", { name: "Mark as paid" }).click();
  const question = admin.getByRole("alertdialog", { name: "Mark $11.00 to Avery Stone as paid?" });
  await question.getByText("Confirm that you sent $11.00").waitFor();
  await question.getByLabel("Transfer reference").fill("T-4712");

  await showAs(sam, "desktop", "light");
  await open(sam, "/payout-requests");
  await row(sam).getByRole("button", { name: "Mark as paid" }).click();
  await save(sam.getByRole("alertdialog"), "Mark as paid");
  await said(sam, "Payout marked as paid").waitFor();
  await question.getByText("This request was paid, withdrawn or deleted in the meantime").waitFor();
  expect(await question.getByText("Confirm that you sent").count()).toBe(0);
  expect(await question.getByRole("button").allTextContents()).toEqual(["Close"]);
  expect(await problemsOnBoth(admin)).toEqual([]);
  await admin.keyboard.press("Escape");
  await question.waitFor({ state: "hidden" });

  const toDelete = deleting.getByRole("alertdialog");
  await toDelete.getByText("in the meantime. Nothing is left to delete.").waitFor();
  expect(await toDelete.getByRole("button").allTextContents()).toEqual(["Close"]);
  const ofMany = many.getByRole("alertdialog");
  await ofMany.getByText("in the meantime. Nothing is left to send.").waitFor();
  expect(await ofMany.getByText("Confirm that you sent").count()).toBe(0);
  expect(await ofMany.getByRole("button").allTextContents()).toEqual(["Close"]);
  expect(await problemsOnBoth(many)).toEqual([]);
});

it("logs no errors", () => {
  expect(shop.pageErrors).toEqual([]);
});
