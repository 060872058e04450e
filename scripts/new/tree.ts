// The files that `npm run new` makes and changes, kept in memory until everything has succeeded.
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Why nothing was made, as a sentence for the person who ran the command. */
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

  /** The number after the last migration's: 0019. */
  nextMigration(): string {
    const numbers = globSync("migrations/*.sql", { cwd: this.root }).map((path) =>
      Number(basename(path).slice(0, 4)),
    );
    return String(Math.max(...numbers) + 1).padStart(4, "0");
  }

  /** Adds a new file; never overwrites one. */
  create(path: string, text: string): void {
    if (this.has(path)) {
      throw new NewProblem(`${path} already exists`);
    }
    this.#texts.set(path, text);
    this.#made.push(path);
  }

  change(path: string, edit: (text: string) => string): void {
    const before = this.read(path);
    const after = edit(before);
    if (after === before) {
      throw new NewProblem(`${path} could not be changed: the place for the entry was not found`);
    }
    this.#texts.set(path, after);
  }

  /** Paths of new files, and of changed ones. */
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
