// Checks how a screen looks: axe's findings, and horizontal overflow.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type axeCore from "axe-core";
import type { Locator, Page } from "playwright-core";

/** Waits until nothing is loading or moving: axe would find the contrast of something that fades in too low. */
export async function waitUntilStill(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.querySelector(".skeleton") === null &&
      document
        .getAnimations()
        // One that follows a scroll position always runs.
        .filter(({ timeline }) => timeline instanceof DocumentTimeline)
        .every((animation) => animation.playState !== "running"),
  );
}

/** The small form: the page compiles it in a third of the time. */
const axeSource = readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What is wrong with the page once nothing moves; empty if it is fine. */
export async function problemsOf(page: Page): Promise<readonly string[]> {
  const problems = await lookOnce(page);
  // Axe misjudges elements that begin to fade while it runs, for example a reloaded list.
  const hasMoved = problems.length > 0 && (await page.evaluate(noteMoves));
  return hasMoved ? problemsOf(page) : problems;
}

/** What is wrong on a desktop and on a phone, in different themes, without loading the page again. */
export async function problemsOnBoth(
  page: Page,
  desktopTheme: "light" | "dark" = "light",
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const view of ["desktop", "phone"] as const) {
    const theme = (view === "desktop") === (desktopTheme === "light") ? "light" : "dark";
    await showAs(page, view, theme);
    found.push(...(await problemsOf(page)).map((problem) => `${view}, ${theme}: ${problem}`));
  }
  return found;
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
  return page.evaluate(findProblems);
}

/** Runs in the page: asks axe about it, or about its dialogs if any are open, and measures what sticks out. */
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
  const { scrollWidth, clientWidth } = document.documentElement;
  const overflow = scrollWidth - clientWidth;
  return [
    ...violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map((node) => node.failureSummary ?? node.html).join(" ")}`,
    ),
    ...(overflow > 0 ? [`${overflow} px stick out at the side`] : []),
  ];
}

/** How much of a text is cut off at its end. */
export function cutPixelsOf(text: Locator): Promise<number> {
  return text.evaluate((one) => one.scrollWidth - one.clientWidth);
}
