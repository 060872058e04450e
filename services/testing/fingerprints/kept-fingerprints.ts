// services/fingerprints.json: the hash of every version of a stream's state and a projection, and of every upcast fixture.
import { readFileSync } from "node:fs";
import * as z from "zod/mini";

/** A stream, a projection, or what an older fixture becomes ("SaleRecorded v1"), as it is now. */
export type Fingerprint = {
  readonly kind: "stream" | "projection" | "upcast";
  readonly name: string;
  /** Of an upcast: the version of the event that it leads to. */
  readonly version: number;
  readonly hash: string;
  /** Relative to the repository. */
  readonly file: string;
};

/** A changed definition whose version was not raised, or one that is not recorded. */
export type Difference = {
  readonly name: string;
  readonly file: string;
  readonly what: "changed" | "raised" | "new" | "lowered";
  /** What to do about it, as a sentence. */
  readonly message: string;
};

const hashes = z.record(z.string(), z.record(z.string(), z.string()));
const keptFile = z.object({ streams: hashes, projections: hashes, upcasts: hashes });

/** Where each kind is in the file, and what its version is called. */
const places = {
  stream: { list: "streams", field: "stateVersion" },
  projection: { list: "projections", field: "version" },
  upcast: { list: "upcasts", field: "version" },
} as const;

/** Hashes by version by name. */
export type Kept = z.infer<typeof keptFile>;

export const KEPT_FILE = new URL("../../fingerprints.json", import.meta.url);

/** Throws if a merge left the file with the lines of both sides. */
export function readKept(file: URL = KEPT_FILE): Kept {
  const text = readFileSync(file, "utf8");
  if (/^<{7} /mu.test(text)) {
    throw new Error(
      "services/fingerprints.json has conflicts: take one side (git checkout --theirs " +
        "services/fingerprints.json), then run: npm run fingerprints -- --same all",
    );
  }
  return keptFile.parse(JSON.parse(text));
}

function versionsOf(kept: Kept, { kind, name }: Fingerprint): Readonly<Record<string, string>> {
  return kept[places[kind].list][name] ?? {};
}

const newestOf = (versions: Readonly<Record<string, string>>): number =>
  Math.max(0, ...Object.keys(versions).map(Number));

/** What differs from the record. */
export function differencesOf(kept: Kept, now: readonly Fingerprint[]): Difference[] {
  return now.flatMap((fingerprint) => {
    const { name, file, version, hash, kind } = fingerprint;
    const versions = versionsOf(kept, fingerprint);
    const newest = newestOf(versions);
    const { field } = places[kind];
    const said = (what: Difference["what"], message: string): Difference[] => [
      { name, file, what, message },
    ];
    if (newest === 0) {
      return said("new", `${name} is not on record. Record it: npm run fingerprints`);
    }
    if (version > newest) {
      return said("raised", `${name} has a new ${field}. Record it: npm run fingerprints`);
    }
    if (version < newest) {
      return said(
        "lowered",
        `${field} of ${name} in ${file} is ${version}, and ${newest} is on record already. ` +
          `Raise it: ${version} → ${newest + 1}, then run: npm run fingerprints`,
      );
    }
    if (versions[version] !== hash) {
      return said("changed", changed(fingerprint, field));
    }
    return [];
  });
}

function changed({ kind, name, version, file }: Fingerprint, field: string): string {
  if (kind === "upcast") {
    return (
      `What ${name} becomes changed (the upcasts in ${file}, or its fixture): each store keeps the rows of ` +
      "read.upcast_events that the old upcast made, no start makes them again, and verify reports every one. " +
      "If it is meant: raise stateVersion of the streams that read the changed fields, have every store run " +
      "`npm run rebuild -- all` after the update, which makes these rows and then all read tables again (say so in " +
      `the release), and run: npm run fingerprints -- --same "${name}". ` +
      "Where stored rows are right all the same, only the last is needed"
    );
  }
  const stale =
    kind === "stream"
      ? "stored states would be used as if the new evolve had made them"
      : "tables filled by the old SQL would be fed on by the new one";
  return (
    `${name} changed, but not its ${field}: ${stale}. ` +
    `Raise ${field} of ${name} in ${file}: ${version} → ${version + 1}, then run: npm run fingerprints. ` +
    `Where stored rows are right all the same, keep the version and run: npm run fingerprints -- --same ${name}`
  );
}

/** The record updated to now. A changed definition is only recorded if `same` names it. Older versions stay. */
export function recorded(kept: Kept, now: readonly Fingerprint[], same: ReadonlySet<string>): Kept {
  const take = new Set(
    differencesOf(kept, now)
      .filter(({ what, name }) =>
        what === "changed" ? same.has(name) || same.has("all") : what !== "lowered",
      )
      .map(({ name }) => name),
  );
  const added = (kind: Fingerprint["kind"], before: Kept["streams"]): Kept["streams"] => {
    const after = { ...before };
    for (const { name, version, hash } of now.filter((one) => one.kind === kind)) {
      if (take.has(name)) {
        after[name] = { ...after[name], [version]: hash };
      }
    }
    return Object.fromEntries(Object.entries(after).sort(([a], [b]) => (a < b ? -1 : 1)));
  };
  return {
    streams: added("stream", kept.streams),
    projections: added("projection", kept.projections),
    upcasts: added("upcast", kept.upcasts),
  };
}
