// Where a process spent its time: the self times of a CPU profile, summed by part of this code and by package.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const profileSchema = z.object({
  nodes: z.array(
    z.object({
      id: z.number(),
      callFrame: z.object({ functionName: z.string(), url: z.string() }),
    }),
  ),
  samples: z.array(z.number()),
  timeDeltas: z.array(z.number()),
});

const SHOWN = 14;

/** The part that a function belongs to: `services/http`, a package, a module of Node's, or `(idle)` and the like. */
function partOf(functionName: string, url: string): string {
  if (url === "") {
    return functionName.startsWith("(") ? functionName : "(native)";
  }
  const inPackage = /node_modules\/((?:@[^/]+\/)?[^/]+)\//u.exec(url)?.[1];
  if (inPackage !== undefined) {
    return inPackage;
  }
  if (url.startsWith("node:")) {
    // `node:internal/streams/readable` and `node:net` are parts; files below are not.
    return url.split("/").slice(0, 2).join("/");
  }
  const own = /\/(services\/(?:features\/)?[^/]+)/u.exec(url)?.[1];
  return own ?? "other";
}

/** The largest shares of the largest profile in a folder: the main thread's. */
export function timeByPart(folder: string): readonly Record<string, string | number>[] {
  const texts = readdirSync(folder)
    .filter((name) => name.endsWith(".cpuprofile"))
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .sort((one, other) => other.length - one.length);
  const [largest] = texts;
  if (largest === undefined) {
    throw new Error(`No profile was written to ${folder}`);
  }
  const { nodes, samples, timeDeltas } = profileSchema.parse(JSON.parse(largest));
  const partById = new Map(
    nodes.map(({ id, callFrame }) => [id, partOf(callFrame.functionName, callFrame.url)]),
  );
  const micros = new Map<string, number>();
  let busy = 0;
  for (const [index, id] of samples.entries()) {
    const part = partById.get(id) ?? "other";
    const time = timeDeltas[index] ?? 0;
    if (part !== "(idle)") {
      micros.set(part, (micros.get(part) ?? 0) + time);
      busy += time;
    }
  }
  return [...micros]
    .sort(([, one], [, other]) => other - one)
    .slice(0, SHOWN)
    .map(([part, time]) => ({ part, "% of busy time": (time * 100) / busy }));
}
