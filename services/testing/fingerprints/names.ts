// The names of accounts and holdings that the features declare, so that sample events post to them and move units.
import { existsSync } from "node:fs";
import { features } from "../../features.ts";

/** All names that the declared functions make of this id. */
export type NamesOf = (id: string) => readonly string[];

/** All functions from an id to a name in a module's exports, or one object deeper. */
function namesIn(exports: object, id: string): string[] {
  return Object.values(exports).flatMap((value: unknown) => {
    if (typeof value === "function") {
      return value.length === 1 ? nameBy(value, id) : [];
    }
    return isPlain(value) ? Object.values(value).flatMap((one) => nameBy(one, id)) : [];
  });
}

function nameBy(make: unknown, id: string): string[] {
  if (typeof make !== "function" || make.length !== 1) {
    return [];
  }
  try {
    const name: unknown = Reflect.apply(make, undefined, [id]);
    return typeof name === "string" && name.includes(":") ? [name] : [];
  } catch {
    // It takes something other than an id.
    return [];
  }
}

function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Reads the exports of every feature's streams.ts. */
export async function declaredNames(): Promise<NamesOf> {
  const files = features
    .map(({ name }) => new URL(`../../features/${name}/streams.ts`, import.meta.url))
    .filter((file) => existsSync(file));
  const modules: object[] = [];
  for (const file of files) {
    modules.push(Object(await import(/* @vite-ignore */ file.href)));
  }
  return (id) => [...new Set(modules.flatMap((exports) => namesIn(exports, id)))].sort();
}
