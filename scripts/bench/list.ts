// How soon the inventory screen responds with 100,000 items in its list, by the browser's own Event Timing.
import type { Page } from "playwright-core";
import { startApi } from "#process/start-api.ts";
import { startWorker } from "#process/start-worker.ts";
import { webBuildFolder } from "#process/machine.ts";
import { readWebBuild } from "#http/web-build.ts";
import { launchChromium } from "#testing/browser/chromium.ts";
import { buildWebIfNeeded } from "../build-web.ts";
import { type Hand, type Measured, openHand } from "./list-hand.ts";
import type { PartOptions, Report } from "./report.ts";
import { fillInventory } from "./search.ts";
import type { BenchServer } from "./server.ts";
import { makeAdmin, makeConsignors, openBenchStore } from "./service.ts";

const TARGET_MS = 100;
// One generated item in fifty is archived, so more are generated to list the promised number.
const LISTED_SHARE = 49 / 50;

/** The list lengths at which everything is measured: a busy morning's, and the whole list. */
function stopsOf(items: number): readonly number[] {
  return [...new Set([5_050, items].map((rows) => Math.min(rows, items)))];
}

async function shownRows(page: Page): Promise<number> {
  const text = await page.getByText(/^[\d,]+ (?:shown|items)/).textContent();
  return Number.parseInt((text ?? "").replaceAll(",", ""), 10);
}

/** Presses "Load more" until this many rows are in the list; every press is measured. */
async function loadUntil(hand: Hand, rows: number, progress: (line: string) => void) {
  const { page } = hand;
  const before = await shownRows(page);
  const name = `load more, ${before.toLocaleString("en-US")} to ${rows.toLocaleString("en-US")} rows`;
  return hand.measure(name, async () => {
    let shown = before;
    const more = page.getByRole("button", { name: "Load more" });
    while (shown < rows && (await more.count()) > 0) {
      // People press what they see, so the way down to the button is measured as scrolling.
      await more.scrollIntoViewIfNeeded();
      await hand.untilStill();
      await more.click();
      await page.waitForFunction(
        (last) =>
          ![...document.querySelectorAll("span")].some((span) =>
            span.textContent.startsWith(`${last.toLocaleString("en-US")} shown`),
          ),
        shown,
        { polling: 50 },
      );
      shown = await shownRows(page);
      if (Math.floor(shown / 10_000) > Math.floor((shown - 200) / 10_000)) {
        progress(`list: ${shown.toLocaleString("en-US")} rows are in the list`);
      }
    }
  });
}

/** Everything an admin does with a loaded list, each several times. */
async function useList(hand: Hand, times: number): Promise<readonly Measured[]> {
  const { page } = hand;
  const at = `${(await shownRows(page)).toLocaleString("en-US")} rows`;
  const repeat = async (act: (time: number) => Promise<unknown>) => {
    for (let time = 0; time < times; time += 1) {
      await act(time);
      await hand.untilStill();
    }
  };
  const inView = (role: "checkbox" | "button", name: RegExp) =>
    page.getByRole("table", { name: "Inventory" }).getByRole(role, { name });
  const middle = () =>
    page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight * Math.random()));

  const measured: Measured[] = [];
  const keep = async (name: string, act: () => Promise<unknown>) => {
    measured.push(await hand.measure(`${name}, ${at}`, act));
  };
  await page.evaluate(() => scrollTo(0, 0));
  await keep("scroll by wheel", async () => {
    await page.mouse.move(640, 500);
    for (let turn = 0; turn < times * 40; turn += 1) {
      await page.mouse.wheel(0, turn % 40 < 20 ? 240 : 2_400);
      await page.waitForTimeout(16);
    }
  });
  await keep("keys End, Page Up and Home", () =>
    repeat(async (time) => {
      await page.keyboard.press(["End", "PageUp", "Home"][time % 3] ?? "End");
    }),
  );
  await keep("select a row", () =>
    repeat(async () => {
      await middle();
      await hand.untilStill();
      await inView("checkbox", /^Select /)
        .nth(15)
        .click();
    }),
  );
  await page.evaluate(() => scrollTo(0, 0));
  await keep("select all, and none", () =>
    repeat(() => page.getByRole("checkbox", { name: "Select all rows" }).click()),
  );
  if (await page.getByRole("checkbox", { name: "Select all rows" }).isChecked()) {
    await page.getByRole("checkbox", { name: "Select all rows" }).click();
  }
  await keep("open an item, the next, and close it", () =>
    repeat(async (time) => {
      await page
        .locator("tbody button.truncate")
        .nth(3 + time)
        .click();
      await page.getByRole("dialog").waitFor();
      await hand.untilStill();
      await page.keyboard.press("ArrowDown");
      await hand.untilStill();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    }),
  );
  await keep("sort by a heading", () =>
    repeat(async (time) => {
      const heading = time < 3 ? "Item Name" : "Quantity";
      await page.getByRole("columnheader", { name: heading }).getByRole("button").click();
      await page.waitForTimeout(400);
    }),
  );
  await keep("switch the theme", () =>
    repeat(() => page.getByRole("button", { name: /^(?:Dark|Light) theme$/ }).click()),
  );
  return measured;
}

/** Types into the search field. The list stays whole until a second after the last letter. */
async function typeSearch(hand: Hand): Promise<Measured> {
  const { page } = hand;
  const field = page.getByRole("searchbox", { name: "Search by name, barcode, or title" });
  const at = `${(await shownRows(page)).toLocaleString("en-US")} rows`;
  return hand.measure(`type a search, ${at}`, async () => {
    await field.click();
    await field.pressSequentially("red lamp", { delay: 60 });
    await page.waitForURL(/q=red/);
    await hand.untilStill();
    await page.getByRole("button", { name: "Clear", exact: true }).click();
    await hand.untilStill();
  });
}

export async function benchList(server: BenchServer, options: PartOptions): Promise<Report> {
  await using parts = new AsyncDisposableStack();
  await buildWebIfNeeded();
  const database = await server.ledgerDatabase("list");
  const items = options.isSmall ? 2_000 : options.size(100_000);
  const store = await openBenchStore(database, true);
  parts.defer(store.close);
  options.progress(`list: filling ${items.toLocaleString("en-US")} items`);
  const { email, password } = await makeAdmin(store);
  await makeConsignors(database);
  await fillInventory(store.workSql, Math.ceil(items / LISTED_SHARE) + 200);
  const worker = await startWorker(store);
  parts.defer(worker.close);
  const api = await startApi(store, await readWebBuild(webBuildFolder));
  parts.defer(api.close);
  const browser = await launchChromium();
  parts.defer(() => browser.close());
  const hand = await openHand(browser, api.server.url, { email, password });
  const measured: Measured[] = [];
  const times = options.rounds(6);
  for (const rows of stopsOf(items)) {
    measured.push(await loadUntil(hand, rows, options.progress));
    options.progress(`list: using ${rows.toLocaleString("en-US")} rows`);
    measured.push(...(await useList(hand, times)));
  }
  measured.push(await typeSearch(hand));
  return {
    part: "list",
    tables: [
      {
        title: "Actions on /admin, and how soon the next frame came, by the browser's Event Timing",
        rows: measured.map((one) => ({
          act: one.name,
          interactions: one.interactions,
          "p98 ms": one.p98Ms,
          "worst ms": one.worstMs,
          "longest frame ms": one.longestFrameMs,
          "frames over 50 ms": one.longFrames,
        })),
      },
    ],
    notes: [
      "An interaction is a click or a key press, measured by the browser from the input to the next frame, in steps of 8 ms; anything below 16 ms counts as 16. Frames are the browser's long animation frames, also while scrolling. Browser, service and database share the machine.",
    ],
    verdicts: measured.map(({ name, worstMs, longestFrameMs, interactions }) => ({
      name: interactions === 0 ? `${name}, longest frame` : `${name}, worst interaction`,
      measured: interactions === 0 ? longestFrameMs : worstMs,
      target: TARGET_MS,
      unit: "ms",
      atLeast: false,
    })),
  };
}
