// What is kept outside the database and outlives it: published heads, and the lists of erased people. A restore looks for both in every place where they may be.
import { resolve } from "node:path";
import type { Sealed } from "#identity/sealed.ts";
import { headFilesAt, headFilesIn } from "#ledger/log/head-files.ts";
import type { HeadsPlace } from "#ledger/log/head-files.ts";
import type { ErasedPeople } from "./erased-list.ts";
import { readErased } from "./erased-list.ts";

export type KeptOutside = {
  /** Files of published heads. */
  readonly heads: readonly string[];
  readonly erased: ErasedPeople;
};

/** Where a store with this data folder publishes its heads. */
export function headsPlaceOf(dataDir: string): HeadsPlace {
  return { folder: resolve(dataDir, "heads"), formerFile: resolve(dataDir, "heads.log") };
}

/** `dataDirs`: the new one and the configured one, which may be that of the store that was backed up. */
export async function readKeptOutside(
  {
    backup,
    dataDirs,
    named,
  }: {
    readonly backup: string;
    readonly dataDirs: readonly string[];
    /** Files and folders of heads that the operator named. */
    readonly named: readonly string[];
  },
  sealed: Pick<Sealed, "isSigned"> | null,
): Promise<KeptOutside> {
  const places = [...new Set(dataDirs.map((dataDir) => resolve(dataDir)))].map(headsPlaceOf);
  const [heads, copies, erased] = await Promise.all([
    Promise.all(places.map(headFilesIn)),
    headFilesAt(named),
    readErased([backup, ...places.map(({ folder }) => folder), ...named], sealed),
  ]);
  return { heads: [...heads.flat(), ...copies], erased };
}
