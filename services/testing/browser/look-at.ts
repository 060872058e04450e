// What a look at a screen finds: axe's findings, and whether anything sticks out at the side.
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

/** Waits until nothing is loading or moving: what is fading in is too faint for axe, and nobody reads it yet. */
export async function waitUntilStill(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.querySelector(".skeleton") === null &&
      document.getAnimations().every((animation) => animation.playState !== "running"),
  );
}

/** Axe for a page without frames of other origins: one run inside it, which reports what is wrong and nothing else. */
function axeOn(page: Page): AxeBuilder {
  return new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
}

/** What is wrong with the page as it stands once it is still; empty where it is fine. */
export async function problemsOf(page: Page): Promise<readonly string[]> {
  const problems = await lookOnce(page);
  // Axe misjudges what began to fade while it looked, for example a list that was loaded anew.
  const hasMoved = problems.length > 0 && (await page.evaluate(noteMoves));
  return hasMoved ? problemsOf(page) : problems;
}

/** Runs in the page: whether anything began to move since it was run last, and notes it from now on. */
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
