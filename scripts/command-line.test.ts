// Scripts as an operator calls them: wrong calls exit with 2 and a sentence, and a closed output stops no script.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { compiledModules } from "#testing/service/service-process.ts";
import { errorText } from "./command-line.ts";

/** A place with no store, where none can be made: a script that tries to use it says so and exits with 1. */
const noStore = { DATA_DIR: "/dev/null/no-store" };

const called = (script: string, ...args: readonly string[]) => callIn(noStore, script, ...args);

async function callIn(
  environment: Readonly<Record<string, string>>,
  script: string,
  ...args: readonly string[]
) {
  const child = spawn(process.execPath, [join(import.meta.dirname, script), ...args], {
    env: { ...process.env, NODE_COMPILE_CACHE: compiledModules, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  // Nobody reads its output, as with `| true`.
  child.stdout.destroy();
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const [code] = await once(child, "close");
  return { code: Number(code), errors };
}

test.each([
  ["rebuild.ts", ["all", "--preview", "--take-back"], "--preview and --take-back exclude"],
  ["import-legacy.ts", ["x.json", "--dry-run", "--migrate"], "--dry-run and --migrate exclude"],
])("%s %j does nothing, because one of the two would be ignored", async (script, args, message) => {
  const { code, errors } = await called(script, ...args);
  expect(errors).toContain(message);
  expect(code).toBe(2);
});

test.each([
  ["import.ts", import.meta.dirname, `${import.meta.dirname} is a folder`],
  ["import-legacy.ts", "/nowhere/file", "There is no file /nowhere/file\n"],
])("%s finds no file at %s before it begins a store", async (script, path, message) => {
  const { code, errors } = await called(script, path);
  expect(errors).toContain(message);
  expect(code).toBe(2);
});

test("a dry run whose option npm swallowed, because there is no -- before it, does nothing and says so", async () => {
  const npm = { npm_lifecycle_event: "import", npm_config_dry_run: "true" };
  const file = join(import.meta.dirname, "README.md");
  const { code, errors } = await callIn({ ...noStore, ...npm }, "import.ts", file);
  expect(errors).toContain("put -- before the options, as in npm run import -- --dry-run");
  expect(code).toBe(2);
  const given = await callIn({ ...noStore, ...npm }, "import.ts", file, "--dry-run");
  expect(given.errors).not.toContain("npm kept");
});

test("an old export with faults gets each fault reported once, with its place", async () => {
  const folder = await mkdtemp(join(tmpdir(), "old-export-"));
  try {
    const path = join(folder, "export.json");
    const item = { itemName: "Lamp", barcode1: "1", quantity: -1 };
    await writeFile(path, JSON.stringify({ users: [{ id: "a", items: [item], balance: "x" }] }));
    expect(await called("import-legacy.ts", path, "--dry-run")).toEqual({
      code: 1,
      errors:
        "The file cannot be loaded:\n" +
        "  users.0.balance: must be an amount in dollars, at most 10,000,000\n" +
        "  users.0.items.0.quantity: must be at least 0\n" +
        "Nothing was loaded.\n",
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("a script ends normally even if nobody reads its output anymore", async () => {
  const sample = join(
    import.meta.dirname,
    "..",
    "services",
    "testing",
    "shop",
    "legacy-export.json",
  );
  expect(await called("import-legacy.ts", sample, "--dry-run")).toEqual({ code: 0, errors: "" });
});

test("a script whose output goes to a full disk says so in one line, and fails", async () => {
  const full = await open("/dev/full", "w");
  const sample = join(import.meta.dirname, "../services/testing/shop/legacy-export.json");
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, "import-legacy.ts"), sample, "--dry-run"],
    {
      env: { ...process.env, NODE_COMPILE_CACHE: compiledModules, ...noStore },
      stdio: ["ignore", full.fd, "pipe"],
    },
  );
  const [errors, [code]] = await Promise.all([
    text(child.stderr ?? Readable.from([])),
    once(child, "close"),
  ]);
  await full.close();
  expect(errors).toMatch(/^The output could not be written: ENOSPC[^\n]*\n$/u);
  expect(code).toBe(1);
});

test("an error of the program itself names how to see where it came from, and shows it then", () => {
  const error = new Error("evolve of item failed", { cause: new TypeError("x is undefined") });
  expect(errorText(error, undefined)).toBe("evolve of item failed\nLOG_LEVEL=debug shows where.\n");
  expect(errorText(error, "debug")).toMatch(/TypeError: x is undefined\n\s+at .*command-line/u);
  expect(errorText(new Error("There is no store here"), undefined)).toBe(
    "There is no store here\n",
  );
});
