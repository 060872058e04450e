// Builds the screens into dist/web, unless what is there is newer than everything it was made from.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, statSync } from "node:fs";
import { join } from "node:path";
import { readCommandLine, runScript } from "./command-line.ts";

const repository = join(import.meta.dirname, "..");
const vite = join("node_modules", "vite", "bin", "vite.js");

/** The build's sources, with their folders, which change when a file is deleted. Anything newer makes the build stale. */
const sources = [
  "web/**",
  "services/**/contract{,-*}.ts",
  "services/ledger/{money,fields,csv-cell,day-text}.ts",
  "services/identity/security-kinds.ts",
  "package.json",
  "package-lock.json",
];

/** The files below `root` that go into the build, including the screens' tests. */
export function webSources(root = repository): readonly string[] {
  return globSync(sources, { cwd: root });
}

/** True if dist/web is what a build would make. */
export function isWebBuilt(root = repository): boolean {
  const modifiedAt = (path: string): number =>
    statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const builtAt = modifiedAt("dist/web/index.html");
  const newest = Math.max(...webSources(root).map(modifiedAt));
  // An installation without development packages comes with its build and cannot make one.
  return builtAt > newest || (builtAt > 0 && modifiedAt(vite) === 0);
}

/** Builds if needed. Throws with the build tool's output when that fails. */
export async function buildWebIfNeeded(): Promise<void> {
  if (isWebBuilt()) {
    return;
  }
  const build = spawn(process.execPath, [vite, "build", "web", "--logLevel", "warn"], {
    cwd: repository,
    // The tests' own setting would make it a build for developers, a third larger.
    env: { ...process.env, NODE_ENV: "production" },
  });
  let output = "";
  build.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  build.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const [code] = await once(build, "close");
  if (code !== 0) {
    throw new Error(`The screens could not be built:\n${output.trim()}`);
  }
}

if (import.meta.main) {
  readCommandLine(
    "npm run build:if-needed",
    "Builds the screens into dist/web unless they are up to date. `npm start` does this first.",
    {},
  );
  await runScript(async () => {
    await buildWebIfNeeded();
    return 0;
  });
}
