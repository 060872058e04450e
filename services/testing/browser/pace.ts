// Makes tests or server slower than usual in the browser tests, which finds those that pass only on a machine like this one (`npm run trial -- --pace`).
import { randomInt } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { BrowserContext } from "playwright-core";
import { z } from "zod";

const environment = z.object({
  PACE: z.enum(["usual", "slow-actions", "slow-answers"]).default("usual"),
});
const { PACE: pace } = environment.parse(process.env);

/** How long each action of a test waits: enough for a screen to show all it has read. */
export const slowActionsMs = pace === "slow-actions" ? 300 : 0;

/** The longest time that an answer of the server is held back. */
const LONGEST_HOLD_MS = 400;

/** Holds back each answer to this context for a random time, so that a test that reads too early fails. */
export async function slowAnswers(context: BrowserContext): Promise<void> {
  if (pace !== "slow-answers") {
    return;
  }
  const isCall = ({ pathname }: URL) => pathname.startsWith("/api/") && pathname !== "/api/live";
  await context.route(isCall, async (route) => {
    await pause(randomInt(LONGEST_HOLD_MS));
    await route.fallback();
  });
}
