// A copy of this repository's sources in another folder, sharing the installed packages, to try `npm run new` in.
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

const repository = join(import.meta.dirname, "..", "..");
const left = new Set(["node_modules", "dist", ".git", ".data"]);

export type TreeCopy = { readonly root: string; readonly remove: () => void };

export function copyOfTree(): TreeCopy {
  const root = mkdtempSync(join(tmpdir(), "new-"));
  for (const name of readdirSync(repository).filter((entry) => !left.has(entry))) {
    cpSync(join(repository, name), join(root, name), {
      recursive: true,
      filter: (path) => !left.has(basename(path)),
    });
  }
  symlinkSync(join(repository, "node_modules"), join(root, "node_modules"));
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}
