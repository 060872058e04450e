// Changes of what is there already: another text in its place, and the version after a recorded one.
import type { Tree } from "./tree.ts";
import { NewProblem } from "./tree.ts";

type Versions = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** What services/fingerprints.json has. */
export const recordedVersions = (tree: Tree) =>
  JSON.parse(tree.read("services/fingerprints.json")) as {
    readonly streams: Versions;
    readonly projections: Versions;
  };

/** Higher than the recorded one; the same if that was raised already and is not on record. */
export const nextVersion = (known: Versions[string] | undefined, version: string): string =>
  known?.[version] === undefined ? version : String(Number(version) + 1);

/** Throws if the text is not there. */
export function replaced(text: string, before: string, after: string): string {
  if (!text.includes(before)) {
    throw new NewProblem(`"${before.trim()}" is not where it was expected`);
  }
  return text.replace(before, after);
}

/** The same where the text is only known by its form. `after` gets the pattern's groups. */
export function replacedMatch(
  text: string,
  pattern: RegExp,
  after: (...groups: readonly string[]) => string,
): string {
  const found = pattern.exec(text);
  if (found === null) {
    throw new NewProblem(`Nothing looks like ${pattern.source}`);
  }
  const [whole, ...groups] = found;
  return text.slice(0, found.index) + after(...groups) + text.slice(found.index + whole.length);
}
