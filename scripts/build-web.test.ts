// The build of the screens is stale as soon as anything that goes into it has changed.
import { globSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { resolveConfig } from "vite";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { isWebBuilt, webSources } from "./build-web.ts";

const repository = join(import.meta.dirname, "..");
// In the future, because folders count too: deleting a file changes its folder.
const before = new Date("2100-01-01T10:00:00Z");
const builtAt = new Date("2100-01-02T10:00:00Z");
const after = new Date("2100-01-03T10:00:00Z");

const builder = "node_modules/vite/bin/vite.js";
const page = "dist/web/index.html";
const made = [
  "web/main.tsx",
  "web/features/pos/pos-screen.tsx",
  "services/features/sign-in/contract.ts",
  "services/features/import/contract.ts",
  "services/identity/contract.ts",
  "services/ledger/money.ts",
  "package-lock.json",
];

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "stale-build-"));
  for (const path of [builder, "services/api.ts", ...made]) {
    await write(path, before);
  }
  await write(page, builtAt);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(root, { recursive: true, force: true });
});

async function write(path: string, at: Date): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), "");
  await utimes(join(root, path), at, at);
}

test("a build that is newer than everything in it is kept, even if other files changed", async () => {
  await write("services/api.ts", after);
  expect(isWebBuilt(root)).toBe(true);
});

test.each(made)("a build is stale once %s has changed", async (path) => {
  await write(path, after);
  expect(isWebBuilt(root)).toBe(false);
});

test("a build that was never made is stale", async () => {
  await rm(join(root, page));
  expect(isWebBuilt(root)).toBe(false);
});

test("an installation without the build tool keeps the build it came with", async () => {
  await write("web/main.tsx", after);
  await rm(join(root, builder));
  expect(isWebBuilt(root)).toBe(true);
});

test.each([
  ["production", "build", true],
  ["test", "build", false],
  ["development", "build", false],
  ["development", "serve", true],
] as const)("with NODE_ENV=%s, vite %s is allowed: %s", async (nodeEnv, command, isAllowed) => {
  vi.stubEnv("NODE_ENV", nodeEnv);
  const resolving = resolveConfig({ root: join(repository, "web") }, command).then(
    () => "",
    (error: unknown) => String(error),
  );
  expect(await resolving).toBe(
    isAllowed ? "" : "Error: The screens are built for production only: leave NODE_ENV out",
  );
});

test("every file of the services that a screen imports makes the build stale", async () => {
  const screens = globSync("web/**/*.{ts,tsx}", { cwd: repository }).filter(
    (path) => !/\.test\.tsx?$/u.test(path),
  );
  const texts = await Promise.all(screens.map((path) => readFile(join(repository, path), "utf8")));
  const imported = texts.flatMap((text) =>
    Array.from(
      text.matchAll(/from "#(?!web\/)([\w/.-]+)"/gu),
      ([, target = ""]) => `services/${target}`,
    ),
  );
  expect(imported).toContain("services/features/sign-in/contract.ts");
  const covered = new Set(webSources());
  expect(imported.filter((path) => !covered.has(path))).toEqual([]);
});
