// What a look at a screen finds: axe's findings, and whether anything sticks out at the side.
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

/** What is wrong with the page as it stands, once nothing is loading or moving any more; empty where it is fine. */
export async function problemsOf(page: Page): Promise<readonly string[]> {
  await page.waitForFunction(
    () =>
      document.querySelector(".skeleton") === null &&
      // What is fading in is too faint for axe, and nobody reads it yet.
      document.getAnimations().every((animation) => animation.playState !== "running"),
  );
  const { violations } = await new AxeBuilder({ page }).analyze();
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
