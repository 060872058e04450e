// The files that `npm run new` makes and changes, in memory until everything is known to fit.
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** What stands in the way, in a sentence for the person who called. Nothing was written. */
export class NewProblem extends Error {}

export class Tree {
  readonly root: string;
  readonly #texts = new Map<string, string>();
  readonly #made: string[] = [];

  constructor(root: string) {
    this.root = root;
  }

  has(path: string): boolean {
    return this.#texts.has(path) || existsSync(join(this.root, path));
  }

  read(path: string): string {
    const changed = this.#texts.get(path);
    if (changed !== undefined) {
      return changed;
    }
    if (!this.has(path)) {
      throw new NewProblem(`${path} is missing`);
    }
    return readFileSync(join(this.root, path), "utf8");
  }

  projectionFiles(): readonly string[] {
    return globSync("services/features/*/projection*.ts", { cwd: this.root });
  }

  /** A new file. Nothing is ever overwritten. */
  create(path: string, text: string): void {
    if (this.has(path)) {
      throw new NewProblem(`${path} is there already`);
    }
    this.#texts.set(path, text);
    this.#made.push(path);
  }

  change(path: string, edit: (text: string) => string): void {
    const before = this.read(path);
    const after = edit(before);
    if (after === before) {
      throw new NewProblem(`${path} could not be changed: nothing fits where the entry belongs`);
    }
    this.#texts.set(path, after);
  }

  /** Paths of new files, and of those that were there. */
  touched(): { readonly made: readonly string[]; readonly changed: readonly string[] } {
    const changed = [...this.#texts.keys()].filter((path) => !this.#made.includes(path));
    return { made: this.#made, changed };
  }

  write(): void {
    for (const [path, text] of this.#texts) {
      const file = join(this.root, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  }
}
