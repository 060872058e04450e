// `npm run trial` finds the tests with two sizes by itself, so that none is only run at its small size.
import { execFile } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { compiledModules } from "#testing/service/service-process.ts";

const root = join(import.meta.dirname, "..");

async function listed(): Promise<readonly string[]> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(import.meta.dirname, "trial.ts"), "--list"],
    { env: { PATH: process.env["PATH"], NODE_COMPILE_CACHE: compiledModules } },
  );
  return stdout.trim().split("\n");
}

test("it runs every test with two sizes, including those that get them from a helper", async () => {
  const found = await listed();
  const own = globSync("{services,scripts,web}/**/*.test.ts", { cwd: root }).filter((path) =>
    /\bsized\(/u.test(readFileSync(join(root, path), "utf8")),
  );
  expect(found).toEqual(
    expect.arrayContaining(own.filter((path) => path !== "scripts/trial.test.ts")),
  );
  expect(found).toContain("services/features/sales/projection.test.ts");
  expect(found).not.toContain("services/config.test.ts");
});
