// Checks how a screen looks: axe's findings, horizontal overflow, and numbers without a name on cards.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type axeCore from "axe-core";
import type { Locator, Page } from "playwright-core";
import { sized } from "#testing/trial/size.ts";
import { allAnswered, longestAnswer, waitsForAnswers } from "#testing/browser/watched-pages.ts";

/**
 * Waits until nothing is asked for, loading or moving: what a second answer fills in would be missing, and axe would
 * find the contrast of something that fades in too low.
 */
export async function waitUntilStill(page: Page, end = longestAnswer()): Promise<void> {
  await allAnswered(page, end);
  await page
    .waitForFunction(
      () =>
        document.querySelector(".skeleton") === null &&
        document
          .getAnimations()
          // One that follows a scroll position always runs.
          .filter(({ timeline }) => timeline instanceof DocumentTimeline)
          .every((animation) => animation.playState !== "running"),
    )
    .catch(async (cause: unknown) => {
      const found = await page.evaluate(findRestless);
      throw new Error(`${page.url()} is never still: ${found.join("; ")}`, { cause });
    });
  // An answer may have led to the next question.
  if (waitsForAnswers(page) && performance.now() < end) {
    await waitUntilStill(page, end);
  }
}

/** Runs in the page: what is still loading, by the labels around it, and what still moves. */
function findRestless(): readonly string[] {
  const loading = Array.from(document.querySelectorAll(".skeleton"), (skeleton) => {
    const around = skeleton.closest("[aria-busy=true], [aria-label], section, [role=dialog], main");
    const label =
      around?.querySelector("output")?.textContent ??
      around?.getAttribute("aria-label") ??
      around?.querySelector("h1, h2, h3")?.textContent ??
      "something without a label";
    return label.startsWith("Loading ") ? label : `Loading ${label}`;
  });
  const moving = document
    .getAnimations()
    .flatMap(({ effect, playState, timeline }) =>
      playState === "running" &&
      timeline instanceof DocumentTimeline &&
      effect instanceof KeyframeEffect &&
      effect.target?.classList.contains("skeleton") === false
        ? [`moving: ${effect.target.tagName.toLowerCase()}.${effect.target.className}`]
        : [],
    );
  return [...new Set([...loading, ...moving])];
}

/**
 * The small form: the page compiles it in a third of the time. Without its few letters beyond ASCII, because they
 * double what is sent and read: giving it to a page takes 32 ms of CPU instead of 52 ms.
 */
const axeSource = readFile(
  createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
  "utf8",
).then((source) =>
  source.replaceAll(
    /[\u0080-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  ),
);

/** What is wrong with the page once nothing moves; empty if it is fine. */
export async function problemsOf(page: Page): Promise<readonly string[]> {
  const problems = await lookOnce(page);
  // Axe misjudges elements that begin to fade while it runs, for example a reloaded list.
  const hasMoved = problems.length > 0 && (await page.evaluate(noteMoves));
  return hasMoved ? problemsOf(page) : problems;
}

type View = readonly ["desktop" | "phone", "light" | "dark"];

/** How often each page was looked at in several views. */
const looks = new WeakMap<Page, number>();

/**
 * What is wrong on a desktop and on a phone, in different themes, without loading the page again; it stays a phone's.
 * At the small size axe looks at the two in turns, because few of its rules depend on the size.
 */
export function problemsOnBoth(
  page: Page,
  desktopTheme: "light" | "dark" = "light",
): Promise<readonly string[]> {
  const phoneTheme = desktopTheme === "light" ? "dark" : "light";
  return problemsIn(page, [
    ["desktop", desktopTheme],
    ["phone", phoneTheme],
  ]);
}

/** What axe finds in one of these views after the other, and what sticks out in each. */
export async function problemsIn(page: Page, views: readonly View[]): Promise<readonly string[]> {
  const look = looks.get(page) ?? 0;
  looks.set(page, look + 1);
  const found: string[] = [];
  for (const [index, [view, theme]] of views.entries()) {
    await showAs(page, view, theme);
    const isFull = sized(index === look % views.length, true);
    const problems = isFull ? await problemsOf(page) : await overflowOf(page);
    found.push(...named(view, theme, problems));
  }
  return found;
}

/** What sticks out of the page once nothing moves, and numbers without a name: all but axe's findings. */
export async function overflowOf(page: Page): Promise<readonly string[]> {
  await waitUntilStill(page);
  return page.evaluate(findOverflow);
}

function named(view: string, theme: string, problems: readonly string[]): readonly string[] {
  return problems.map((problem) => `${view}, ${theme}: ${problem}`);
}

/** Gives the page this size and theme, and waits until it is drawn that way. */
export async function showAs(
  page: Page,
  view: "desktop" | "phone",
  theme: "light" | "dark",
): Promise<void> {
  const isPhone = view === "phone";
  await page.setViewportSize({ width: isPhone ? 360 : 1280, height: isPhone ? 740 : 800 });
  await page.evaluate(async (name) => {
    document.documentElement.dataset["theme"] = name;
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  }, theme);
}

/** Runs in the page: returns whether anything began to move since the last call, and records it from now on. */
function noteMoves(): boolean {
  const marks = document.documentElement.dataset;
  if (marks["moves"] === undefined) {
    const note = (): void => {
      marks["moves"] = "some";
    };
    document.addEventListener("transitionrun", note, true);
    document.addEventListener("animationstart", note, true);
  }
  const hasMoved = marks["moves"] === "some";
  marks["moves"] = "none";
  return hasMoved;
}

async function lookOnce(page: Page): Promise<readonly string[]> {
  await waitUntilStill(page);
  await page.evaluate(noteMoves);
  if (await page.evaluate(() => !("axe" in globalThis))) {
    // It stays until the page is loaded again.
    await page.evaluate(await axeSource);
  }
  return [...(await page.evaluate(findProblems)), ...(await page.evaluate(findOverflow))];
}

/** Runs in the page: asks axe about it, or about its dialogs if any are open. */
async function findProblems(): Promise<readonly string[]> {
  const { axe } = globalThis as unknown as { readonly axe: typeof axeCore };
  // What lies behind a dialog is looked at without it, and takes as long as the dialog itself, or longer.
  const dialogs = Array.from(
    document.querySelectorAll<HTMLElement>("[role=dialog], [role=alertdialog]"),
  );
  const { violations } = await axe.run(dialogs.length === 0 ? document : { include: dialogs }, {
    resultTypes: ["violations"],
    // Styles of other origins do not exist here.
    preload: false,
  });
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => node.failureSummary ?? node.html).join(" ")}`,
  );
}

/** Runs in the page: measures what sticks out, and finds numbers on cards that nothing names. */
function findOverflow(): readonly string[] {
  const { scrollWidth, clientWidth } = document.documentElement;
  const overflow = scrollWidth - clientWidth;
  const values = Array.from(
    document.querySelectorAll("[data-second-line] > span"),
    ({ childNodes }) => Array.from(childNodes, ({ textContent }) => textContent?.trim() ?? ""),
  )
    .flat()
    .map((value) => value.replace(/ why this number\?$/u, ""));
  // An amount or a count, not a barcode or an address.
  const bare = values.filter((value) => /^[+−]?(?:\$[\d,.]+|\d{1,3}(?:,\d{3})*)$/u.test(value));
  return [
    ...(overflow > 0 ? [`${overflow} px stick out at the side`] : []),
    ...[...new Set(bare)].map((value) => `a card has ${value} without saying what it is`),
  ];
}

/** How much of a text is cut off at its end. */
export function cutPixelsOf(text: Locator): Promise<number> {
  return text.evaluate((one) => one.scrollWidth - one.clientWidth);
}

/** Where the first row or card of the screen's list is, once it is there. */
export async function firstRow(
  page: Page,
): Promise<{ readonly top: number; readonly height: number }> {
  const row = page
    .locator("main tbody tr[data-index], main ul[aria-label] > li[data-index]")
    .first();
  await row.waitFor();
  await waitUntilStill(page);
  const box = await row.boundingBox();
  return { top: box?.y ?? 0, height: box?.height ?? 0 };
}
