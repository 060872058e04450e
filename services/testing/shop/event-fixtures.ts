// Reads a feature's stored event fixtures, so that its tests keep every stored version readable forever.
import { existsSync, readdirSync, readFileSync } from "node:fs";

export type EventFixture = {
  readonly file: string;
  readonly type: string;
  readonly version: number;
  readonly data: unknown;
};

/** Every `<Type>.v<version>.json` in a folder; none without a folder. Throws on a file with another kind of name. */
export function eventFixtures(folder: URL): EventFixture[] {
  if (!existsSync(folder)) {
    return [];
  }
  return readdirSync(folder)
    .sort()
    .map((file) => {
      const [, type, version] = /^(\w+)\.v(\d+)\.json$/u.exec(file) ?? [];
      if (type === undefined) {
        throw new Error(`${file} is not named <Type>.v<version>.json`);
      }
      const data: unknown = JSON.parse(readFileSync(new URL(file, folder), "utf8"));
      return { file, type, version: Number(version), data };
    });
}
