// The current fingerprints of everything in the register, and what no sample event covers.
import { existsSync, globSync, readFileSync } from "node:fs";
import { features } from "../../features.ts";
import type { Feature } from "#features/feature.ts";
import { eventSamples } from "#testing/fingerprints/event-samples.ts";
import { foldFingerprint } from "#testing/fingerprints/fold-fingerprint.ts";
import type { Fingerprint } from "#testing/fingerprints/kept-fingerprints.ts";
import { declaredNames } from "#testing/fingerprints/names.ts";
import { eventFixtures } from "#testing/shop/event-fixtures.ts";
import { upcastFingerprints } from "#testing/fingerprints/upcast-fingerprints.ts";
import { projectionFingerprint } from "#testing/fingerprints/projection-fingerprint.ts";

export type CurrentFingerprints = {
  readonly fingerprints: readonly Fingerprint[];
  /** Events and state fields that no hash covers, as sentences. */
  readonly unreached: readonly string[];
};

const fileOf = (feature: string, file: string): string => `services/features/${feature}/${file}`;

export async function currentFingerprints(
  register: readonly Feature[] = features,
): Promise<CurrentFingerprints> {
  const samples = eventSamples();
  const namesOf = await declaredNames();
  const fingerprints: Fingerprint[] = [];
  const unreached: string[] = [];
  for (const { name: feature, events, streams, projections } of register) {
    const folder = new URL(`../../features/${feature}/fixtures/`, import.meta.url);
    fingerprints.push(
      ...upcastFingerprints(events, eventFixtures(folder), fileOf(feature, "events.ts")),
    );
    const file = fileOf(feature, "streams.ts");
    const seen = new Set<string>();
    for (const stream of streams) {
      const { category: name, stateVersion: version } = stream;
      const fold = foldFingerprint(stream, samples, namesOf);
      fingerprints.push({ kind: "stream", name, version, hash: fold.hash, file });
      fold.seen.forEach((type) => seen.add(type));
      unreached.push(
        ...fold.unchanged.map(
          (field) =>
            `No fixture changes ${field} of ${name} (${file}): it has one value in every state`,
        ),
      );
    }
    unreached.push(
      ...eventsAskedFor(file)
        .filter((type) => !seen.has(type))
        .map(
          (type) =>
            `${file} looks for ${type}, and no state of its streams depends on that event: ` +
            `is it registered, and does its fixture name the same ids as the others?`,
        ),
    );
    for (const projection of projections) {
      fingerprints.push({
        kind: "projection",
        name: projection.name,
        version: projection.version,
        hash: projectionFingerprint(projection),
        file: projectionFile(feature, projection.name),
      });
    }
  }
  return { fingerprints, unreached };
}

/** Where a projection is: projection.ts, or projection-<part>.ts where that declares it. */
function projectionFile(feature: string, name: string): string {
  const declared = new RegExp(`: Projection = \\{\\s*name: "${name}"`, "u");
  const root = new URL("../../../", import.meta.url);
  const files = globSync(fileOf(feature, "projection*.ts"), { cwd: root }).sort();
  const file = files.find((path) => declared.test(readFileSync(new URL(path, root), "utf8")));
  return file ?? fileOf(feature, "projection.ts");
}

/** The events that a streams.ts checks for with `is(…)`. */
function eventsAskedFor(file: string): string[] {
  const path = new URL(`../../../${file}`, import.meta.url);
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  return [...new Set([...text.matchAll(/\bis\((\w+),/gu)].map((match) => match[1] ?? ""))];
}
