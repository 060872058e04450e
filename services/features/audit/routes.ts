// The calls of the audit log. Admins see every event; everybody else the events that touch their own money and goods.
import { Hono } from "hono";
import { signedIn } from "#http/access.ts";
import { positionBefore } from "#http/as-of.ts";
import { answerCsvBatches } from "#http/csv.ts";
import { expensiveFileInParts, expensiveSearch } from "#http/expensive-reads.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented, documentedFile } from "#http/document.ts";
import type { AppEnv, Person } from "#http/env.ts";
import { forbidden, notFound } from "#http/errors.ts";
import { readsFrom, respondFresh } from "#http/freshness.ts";
import { inStoreDays } from "#http/store-period.ts";
import { pathParams, queryString } from "#http/validate.ts";
import {
  auditEventParams,
  auditEventResponse,
  auditEventsResponse,
  auditExportQuery,
  auditQuery,
  thingKinds,
  type AuditAsked,
} from "#features/audit/contract.ts";
import type { EventDeps } from "#features/audit/event-loaded.ts";
import { readAuditEvent } from "#features/audit/event-view.ts";
import { csvHead, exportLines, findForFile } from "#features/audit/exports.ts";
import { readAuditPage } from "#features/audit/queries.ts";
import type { Reader, SellersLines } from "#features/audit/queries-words.ts";
import type { AuditFilters } from "#features/audit/search-check.ts";
import type { Bounds } from "#features/audit/search.ts";
import { understand } from "#features/audit/search-text.ts";
import { streamOfThing } from "#features/audit/search-text-things.ts";
import { typesForConsignors, typesOfGroup } from "#features/audit/sentence.ts";
import type { EventExplanations } from "#features/histories.ts";
import type { StreamDefinition } from "#ledger/decider.ts";

const tag = "audit";

/** What every feature says about its events and streams. */
export type AuditRegister = {
  readonly explanations: EventExplanations;
  readonly streams: ReadonlyMap<string, StreamDefinition<unknown>>;
  readonly sellersLines: SellersLines;
};

/** The read tables that names, amounts and states come from. */
const TABLES = [
  "audit",
  "account_history",
  "inventory",
  "item_timeline",
  "payouts",
  "sales",
  "shipments",
  "trades",
] as const;

export function auditRoutes(deps: RouteDeps, register: AuditRegister): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  const ownTypes = typesForConsignors(register.explanations);
  const parts = { ...deps, ...register, ownTypes };
  addList(routes, parts);
  // Before the path of one event, which matches "export" too.
  addExport(routes, parts);
  addEvent(routes, parts);
  return routes;
}

type AuditParts = RouteDeps & EventDeps;

/** The query's filters, limited to what the reader may see. */
async function understood(
  parts: AuditParts,
  reader: Reader,
  query: AuditAsked & { readonly cursor?: number | undefined },
  freshTo: number,
) {
  refuseForeign(reader, query);
  const text = query.q ?? "";
  const ownUid = reader.isAdmin ? null : reader.uid;
  const found = text === "" ? null : await understand(parts, text, ownUid, freshTo);
  return {
    words: found?.words ?? [],
    filters: { ...filtersOf(query, reader, parts), sought: found?.sought ?? null },
    bounds: await boundsOf(parts, query, freshTo),
  };
}

function addList(routes: Hono<AppEnv>, parts: AuditParts): void {
  routes.get(
    "/audit/events",
    signedIn,
    documented({ summary: "List events of the log", tag, answer: auditEventsResponse }),
    queryString(auditQuery),
    inStoreDays(parts),
    readsFrom(...TABLES),
    expensiveSearch,
    async (c) => {
      const query = c.req.valid("query");
      const reader = readerOf(c.var.person);
      const { words, filters, bounds } = await understood(parts, reader, query, c.var.freshTo);
      const { order, limit } = query;
      const page = await readAuditPage(parts, reader, filters, { order, bounds, limit });
      return respondFresh(c, { ...page, understood: words });
    },
  );
}

function addExport(routes: Hono<AppEnv>, parts: AuditParts): void {
  routes.get(
    "/audit/events/export",
    signedIn,
    documentedFile({ summary: "Export events of the log", tag, types: ["text/csv"] }),
    queryString(auditExportQuery),
    inStoreDays(parts),
    readsFrom(...TABLES),
    expensiveFileInParts,
    async (c) => {
      const query = c.req.valid("query");
      const reader = readerOf(c.var.person);
      const { freshTo, inTurn } = c.var;
      const { filters, bounds } = await inTurn(() => understood(parts, reader, query, freshTo));
      const { order } = query;
      const positions = await findForFile(parts.reads, filters, { order, bounds }, inTurn);
      const lines = exportLines(parts, reader, { positions, account: filters.account }, order);
      return answerCsvBatches(c, "audit-log.csv", csvHead(reader, filters.account), lines);
    },
  );
}

function addEvent(routes: Hono<AppEnv>, parts: AuditParts): void {
  routes.get(
    "/audit/events/:position",
    signedIn,
    documented({ summary: "Show an event of the log", tag, answer: auditEventResponse }),
    pathParams(auditEventParams),
    readsFrom(...TABLES),
    expensiveSearch,
    async (c) => {
      const { position } = c.req.valid("param");
      const event = await readAuditEvent(parts, readerOf(c.var.person), position);
      // Whether somebody else's event exists is not told.
      if (event === undefined) {
        throw notFound("event_not_found", "There is no such event");
      }
      return respondFresh(c, { event });
    },
  );
}

function readerOf({ uid, role }: Person): Reader {
  return { uid, isAdmin: role === "admin" };
}

/** Throws HttpError 403 if somebody who is not an admin asks for another person's events, or for an account of the store. */
function refuseForeign({ uid, isAdmin }: Reader, { person, actor, account }: AuditAsked): void {
  const asked = [person, actor].filter((one) => one !== undefined);
  if (!isAdmin && (account !== undefined || asked.some((one) => one !== uid))) {
    throw forbidden("You can only see your own events");
  }
}

function filtersOf(
  query: AuditAsked,
  { uid, isAdmin }: Reader,
  { explanations, ownTypes }: EventDeps,
): Omit<AuditFilters, "sought"> {
  return {
    person: isAdmin ? (query.person ?? null) : uid,
    streams: thingKinds.flatMap((kind) => {
      const id = query[kind];
      return id === undefined ? [] : [streamOfThing[kind](id)];
    }),
    types: typesFor(query, explanations, isAdmin ? null : ownTypes),
    actor: query.actor ?? null,
    account: query.account ?? null,
    ownEntries: query.ownAccount !== undefined,
    isOwn: !isAdmin,
  };
}

/** The event types that the query and the reader both allow; empty for all, and one that does not exist for none. */
function typesFor(
  { type, group }: AuditAsked,
  explanations: EventExplanations,
  ownTypes: readonly string[] | null,
): readonly string[] {
  const lists = [
    ...(type === undefined ? [] : [type.split(",")]),
    ...(group === undefined ? [] : [typesOfGroup(explanations, group)]),
    ...(ownTypes === null ? [] : [ownTypes]),
  ];
  const [first, ...others] = lists;
  if (first === undefined) {
    return [];
  }
  const allowed = first.filter((one) => others.every((list) => list.includes(one)));
  return allowed.length === 0 ? [""] : allowed;
}

const BEYOND = Number.MAX_SAFE_INTEGER;

/** Positions and times as one range of positions, and the cursor as its end in the order of the page. */
async function boundsOf(
  { reads }: RouteDeps,
  query: AuditAsked & { readonly cursor?: number | undefined },
  freshTo: number,
): Promise<Bounds> {
  const { from, to, fromPosition = 1, toPosition = BEYOND - 1, cursor, order } = query;
  const [afterTime, throughTime] = await Promise.all([
    from === undefined ? 0 : positionBefore(reads, new Date(from), freshTo),
    to === undefined ? BEYOND - 1 : positionBefore(reads, new Date(to), freshTo),
  ]);
  const after = Math.max(fromPosition - 1, afterTime);
  const before = Math.min(toPosition, throughTime) + 1;
  if (cursor === undefined) {
    return { after, before };
  }
  return order === "newest"
    ? { after, before: Math.min(before, cursor) }
    : { after: Math.max(after, cursor), before };
}
