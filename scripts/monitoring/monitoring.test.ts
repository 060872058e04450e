// The Grafana dashboard and the alert rules, held against /metrics of a running service: every name exists, none is forgotten.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { parseConfig } from "#config";
import { addItem } from "#features/inventory/decider.ts";
import { openStore } from "#process/open-store.ts";
import { startApi } from "#process/start-api.ts";
import type { Store } from "#process/open-store.ts";
import type { Api } from "#process/start-api.ts";
import { noWebBuild } from "#http/web-build.ts";
import { testDatabase } from "#testing/database/test-database.ts";
import type { TestDatabase } from "#testing/database/test-database.ts";

/** Metrics of ours that neither the dashboard nor an alert names, with the reason. */
const UNWATCHED: Readonly<Record<string, string>> = {};

let database: TestDatabase;
let folder: string;
let store: Store;
let api: Api;
/** Each metric with the labels of its samples; undefined if it has no sample. */
let metrics: Map<string, Set<string> | undefined>;

beforeAll(async () => {
  database = await testDatabase();
  folder = await mkdtemp(path.join(tmpdir(), "monitoring-"));
  store = await openStore({
    config: parseConfig({
      DATABASE_URL: database.appUrl,
      DATABASE_OWNER_URL: database.ownerUrl,
      // Not a standby, so it is never read from; but its metrics are there.
      READ_DATABASE_URL: database.appUrl,
      DATA_DIR: folder,
      PORT: "0",
    }),
    logger: pino({ level: "silent" }),
    name: "start",
    works: false,
  });
  api = await startApi(store, noWebBuild);
  await addLamp("1", 1);
  await addLamp("2", -1);
  // As if this store had never had these tables before: they are shown while they are filled.
  await store.sql`update read.projections set flipped_at = now() where name = 'sales'`;
  metrics = samplesIn(await (await fetch(`${api.server.url}/metrics`)).text());
}, 60_000);

afterAll(async () => {
  await api.close();
  await store.close();
  await database.close();
  await rm(folder, { recursive: true });
});

/** Accepted, or refused for its quantity. */
function addLamp(key: string, quantity: number): Promise<unknown> {
  const texts = { listingTitle: "", barcode2: "", location: "", link: "", imageUrl: "", asin: "" };
  const command = {
    itemId: crypto.randomUUID(),
    ownerUid: null,
    details: { itemName: "Lamp", barcode1: "B-1", ...texts },
    quantity,
    source: "manual",
    happenedAt: "2026-11-21T10:00:00.000Z",
  } as const;
  return store.ledger.execute(addItem, command, {
    actor: "system:test",
    scope: "store",
    key,
    requestHash: "00",
  });
}

function samplesIn(text: string): typeof metrics {
  const found: typeof metrics = new Map();
  for (const line of text.split("\n")) {
    const [, named] = /^# TYPE (\S+) /u.exec(line) ?? [];
    if (named !== undefined) {
      found.set(named, undefined);
    }
    const [, sample = "", labels = ""] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? /u.exec(line) ?? [];
    const name = metricOf(sample, found);
    if (found.has(name)) {
      const known = found.get(name) ?? new Set();
      [...labels.matchAll(/(\w+)="/gu)].forEach(([, label = ""]) => known.add(label));
      found.set(name, known);
    }
  }
  return found;
}

/** Histograms are named in queries by their series. */
function metricOf(series: string, known: ReadonlyMap<string, unknown>): string {
  const whole = series.replace(/_(?:bucket|sum|count)$/u, "");
  return known.has(series) ? series : whole;
}

const clauses = /\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)/gu;
/** Prometheus adds these to every sample. */
const ADDED = new Set(["instance", "job", "le"]);
const KEYWORDS = new Set(["and", "or", "unless", "bool", "offset", "by", "without", "on"]);

/** The metrics that a PromQL expression names, with the labels it uses. */
function namedIn(expression: string): { metrics: string[]; labels: string[] } {
  const labels: string[] = [];
  const bare = expression
    .replaceAll("$__rate_interval", "5m")
    .replaceAll(/\{([^}]*)\}/gu, (_all, matchers: string) => {
      labels.push(...[...matchers.matchAll(/(\w+)\s*[!=]/gu)].map(([, label = ""]) => label));
      return "";
    })
    .replaceAll(clauses, (_all, names: string) => {
      labels.push(...names.split(",").map((name) => name.trim()));
      return "";
    })
    .replaceAll(/\[[^\]]*\]/gu, "");
  const names = [...bare.matchAll(/(?<![\w.])([a-zA-Z_:][\w:]*)(?!\w*\s*\()/gu)].map(
    ([, name = ""]) => name,
  );
  return {
    metrics: names.filter((name) => !KEYWORDS.has(name)),
    labels: labels.filter((label) => !ADDED.has(label)),
  };
}

const dashboardSchema = z.object({
  title: z.string(),
  panels: z.array(
    z.object({
      id: z.number(),
      title: z.string().min(1),
      type: z.enum(["row", "stat", "timeseries"]),
      gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
      targets: z.optional(z.array(z.object({ expr: z.string().min(1) }))),
    }),
  ),
});

async function dashboard() {
  const text = await readFile(path.join(import.meta.dirname, "grafana-dashboard.json"), "utf8");
  return dashboardSchema.parse(JSON.parse(text));
}

type Rule = Readonly<Record<string, string>>;

/** The rules have one fixed form, so a line that does not fit it is a mistake in the file. */
async function alertRules(): Promise<Rule[]> {
  const text = await readFile(path.join(import.meta.dirname, "alert-rules.yaml"), "utf8");
  const rules: Record<string, string>[] = [];
  for (const line of text.trimEnd().split("\n")) {
    if (
      /^#|^groups:$|^ {2}- name: [a-z-]+$|^ {4}rules:$|^ {8}(?:labels|annotations):$/u.test(line)
    ) {
      continue;
    }
    const [, begins, name, value] =
      /^ {6}(- | {2}| {4})(\w+): ("[^"\\]*"|'[^']*'|\w+)$/u.exec(line) ?? [];
    if (name === undefined || value === undefined) {
      throw new Error(`alert-rules.yaml has an unreadable line: ${line}`);
    }
    if (begins === "- ") {
      rules.push({});
    }
    Object.assign(rules.at(-1) ?? {}, { [name]: value.replace(/^["'](.*)["']$/u, "$1") });
  }
  return rules;
}

async function expressions(): Promise<string[]> {
  const { panels } = await dashboard();
  const drawn = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  return [...drawn, ...(await alertRules()).map((rule) => rule["expr"] ?? "")];
}

const isOurs = (name: string): boolean => /^(?:ledger|http)_/u.test(name);

describe("the dashboard and the alert rules", () => {
  it("name only metrics that a running service has, and labels that these have", async () => {
    const wrong: string[] = [];
    for (const expression of await expressions()) {
      const named = namedIn(expression);
      expect(named.metrics).not.toEqual([]);
      const found = named.metrics.map((series) => metricOf(series, metrics));
      wrong.push(...found.filter((name) => !metrics.has(name)));
      const known = found.map((name) => metrics.get(name));
      if (known.every((labels) => labels !== undefined)) {
        const missing = named.labels.filter((label) => !known.some((labels) => labels.has(label)));
        wrong.push(...missing.map((label) => `${label} in ${expression}`));
      }
    }
    expect(wrong).toEqual([]);
  });

  it("name every metric of ours, apart from those with a reason", async () => {
    const named = new Set(
      (await expressions()).flatMap((expression) =>
        namedIn(expression).metrics.map((series) => metricOf(series, metrics)),
      ),
    );
    const forgotten = [...metrics.keys()].filter((name) => isOurs(name) && !named.has(name));
    expect(forgotten.sort()).toEqual(Object.keys(UNWATCHED).sort());
    expect(metrics.size).toBeGreaterThan(40);
  });

  it("have expressions whose brackets and quotes close", async () => {
    for (const expression of await expressions()) {
      const left = expression.replaceAll(/"[^"]*"/gu, "").replaceAll(/[^()[\]{}"]/gu, "");
      let rest = left;
      for (let before = ""; before !== rest;) {
        before = rest;
        rest = rest.replaceAll(/\(\)|\[\]|\{\}/gu, "");
      }
      expect({ expression, rest }).toEqual({ expression, rest: "" });
    }
  });
});

describe("the dashboard", () => {
  it("has panels of its own ids that do not overlap", async () => {
    const { panels } = await dashboard();
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from(
        { length: w * h },
        (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`,
      ),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true);
  });
});

describe("the alert rules", () => {
  it("each have a name of their own, a severity, a wait, and say what happened and what to do", async () => {
    const rules = await alertRules();
    expect(new Set(rules.map((rule) => rule["alert"])).size).toBe(rules.length);
    for (const rule of rules) {
      expect(rule).toEqual({
        alert: expect.stringMatching(/^Ledger[A-Z]\w+$/u),
        expr: expect.any(String),
        for: expect.stringMatching(/^\d+m$/u),
        severity: expect.stringMatching(/^(?:critical|warning)$/u),
        summary: expect.stringMatching(/\S/u),
        description: expect.stringMatching(/\.$/u),
      });
    }
  });

  it("use only labels of their expression in what they say", async () => {
    for (const { expr = "", summary = "", description = "" } of await alertRules()) {
      const used = [...`${summary} ${description}`.matchAll(/\$labels\.(\w+)/gu)];
      for (const [, label] of used) {
        expect(expr).toMatch(new RegExp(`by \\((?:\\w+, )*${label}`, "u"));
      }
    }
  });
});

describe("the writer's metrics", () => {
  it("count what was decided: batches, events, and refusals by code", async () => {
    const text = await (await fetch(`${api.server.url}/metrics`)).text();
    expect(text).toMatch(/^ledger_batch_commands_count 2$/mu);
    expect(text).toMatch(/^ledger_commands_accepted_total 1$/mu);
    expect(text).toMatch(/^ledger_events_total 1$/mu);
    expect(text).toMatch(/^ledger_rejections_total\{code="\w+"\} 1$/mu);
    expect(text).toMatch(/^ledger_conflicts_total 0$/mu);
  });

  it("say how far each read table is behind, also while no worker runs", () => {
    expect(metrics.get("ledger_projection_lag_events")).toEqual(new Set(["projection"]));
    expect(metrics.get("ledger_rebuild_position")).toEqual(new Set(["projection", "tables"]));
  });
});
