// Every dialog of the app is opened by a scan test, or named with the reason why not: a new one cannot be forgotten.
import { glob, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { notScanned } from "#testing/browser/not-scanned.ts";
import { scanMoments } from "#testing/browser/scan-moments.ts";

const web = path.join(import.meta.dirname, "..");
const FRAME = /"(?:#web\/ui|\.)\/(?:form-dialog|confirm-dialog|dialog|drawer)\.tsx"/u;

async function filesWithDialogs(): Promise<string[]> {
  const found: string[] = [];
  for await (const name of glob("{features,shared,shell}/**/*.tsx", { cwd: web })) {
    if (FRAME.test(await readFile(path.join(web, name), "utf8"))) {
      found.push(name);
    }
  }
  return found.toSorted();
}

/** Screens where a scan can do nothing: signing in, and public screens. */
const publicScreens = new Set([
  "home",
  "login",
  "discordSuccess",
  "googleCallback",
  "resetPassword",
  "verifyEmail",
  "confirmEmailChange",
  "verifyStatement",
]);

test("every dialog has a moment at which a test scans, or a reason why it has none", async () => {
  const opened = scanMoments.flatMap(({ opens = [] }) => opens);
  const named = new Set([...opened, ...Object.keys(notScanned)]);
  const files = await filesWithDialogs();
  expect(
    files.filter((file) => !named.has(file)),
    "add a moment that opens the dialogs of these files to services/testing/browser/scan-moments.ts, or say in not-scanned.ts why there is none",
  ).toEqual([]);
  expect(
    [...named].filter((file) => !files.includes(file)),
    "these files have no dialog any more: remove them from scan-moments.ts or not-scanned.ts in services/testing/browser",
  ).toEqual([]);
  expect(
    opened.filter((file) => file in notScanned),
    "a moment opens these: remove them from services/testing/browser/not-scanned.ts",
  ).toEqual([]);
});

test("every screen has a moment at which a test scans", async () => {
  const { paths } = await import("#web/paths.ts");
  const scanned = new Set(scanMoments.map((moment) => moment.path));
  const missing = Object.entries(paths).filter(
    ([name, screen]) => !publicScreens.has(name) && !scanned.has(screen),
  );
  expect(
    missing,
    "add `{ path: … }` for each of these screens to services/testing/browser/scan-moments.ts",
  ).toEqual([]);
});
