// The quick search for own modules finds the same files as Node's, and leaves everything else to it.
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { ownModule } from "./own-imports.ts";

const root = join(import.meta.dirname, "../..");

test("every import of one of this program's modules is found where Node finds it", () => {
  let found = 0;
  for (const path of globSync(["services/process/*.ts", "services/*.ts"], { cwd: root })) {
    const importer = pathToFileURL(join(root, path)).href;
    const text = readFileSync(join(root, path), "utf8");
    for (const [, specifier = ""] of text.matchAll(
      /^(?:import|\}) .*from "([#.][^"]+\.ts|#config)";$/gmu,
    )) {
      const url = ownModule(specifier, importer);
      const expected = specifier.startsWith("#")
        ? import.meta.resolve(specifier)
        : new URL(specifier, importer).href;
      expect(url, `${specifier} in ${path}`).toBe(expected);
      expect(existsSync(fileURLToPath(url ?? ""))).toBe(true);
      found += 1;
    }
  }
  expect(found).toBeGreaterThan(100);
});

test("packages, Node's own modules, and what a package imports are left to Node", () => {
  const here = import.meta.url;
  const inPackage = pathToFileURL(join(root, "node_modules/zod/index.js")).href;
  for (const specifier of ["zod", "node:fs", "@hono/node-server", "#unknown/x.ts", "./x.json"]) {
    expect(ownModule(specifier, here)).toBeUndefined();
  }
  expect(ownModule("./x.ts", inPackage)).toBeUndefined();
});
