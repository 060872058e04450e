// Checks how a screen looks: axe's findings, and horizontal overflow.
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

/** Waits until nothing is loading or moving: axe would find the contrast of something that fades in too low. */
export async function waitUntilStill(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.querySelector(".skeleton") === null &&
      document.getAnimations().every((animation) => animation.playState !== "running"),
  );
}

/** Axe for a page without frames of other origins: one run in the page that only reports violations. */
function axeOn(page: Page): AxeBuilder {
  return new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
}

/** What is wrong with the page once nothing moves; empty if it is fine. */
export async function problemsOf(page: Page): Promise<readonly string[]> {
  const problems = await lookOnce(page);
  // Axe misjudges elements that begin to fade while it runs, for example a reloaded list.
  const hasMoved = problems.length > 0 && (await page.evaluate(noteMoves));
  return hasMoved ? problemsOf(page) : problems;
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
  const { violations } = await axeOn(page).analyze();
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  return [
    ...violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map((node) => node.failureSummary ?? node.html).join(" ")}`,
    ),
    ...(overflow > 0 ? [`${overflow} px stick out at the side`] : []),
  ];
}
