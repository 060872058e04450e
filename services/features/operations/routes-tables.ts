// What operators may do to read tables: each call is a command; its order is written with the event, and a worker carries it out.
import type { Hono } from "hono";
import type { TransactionSql } from "postgres";
import { admin } from "#http/access.ts";
import { runCommand } from "#http/command.ts";
import type { CommandContext, RowInSameTransaction } from "#http/command.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { noteOf } from "#http/note.ts";
import { jsonBody, pathParams } from "#http/validate.ts";
import type { Decider } from "#ledger/decider.ts";
import type { Projection } from "#ledger/projection/define.ts";
import { askToFold } from "#ledger/projection/fold-again.ts";
import type { Wanted } from "#ledger/projection/orders.ts";
import { writeOrder } from "#ledger/projection/orders.ts";
import {
  flipRequest,
  foldAgainRequest,
  operatorRequest,
  operatorResponse,
  projectionParams,
} from "#features/operations/contract.ts";
import type { ActedOn, ActOnTables } from "#features/operations/decider.ts";
import {
  cancelRebuild,
  flipTables,
  foldAgain,
  pauseRebuild,
  resumeRebuild,
  startRebuild,
  takeBackFlip,
} from "#features/operations/decider.ts";
import { countHeldNow } from "#features/operations/held-now.ts";
import { readFacts } from "#features/operations/table-facts.ts";

const tag = "operations";

export function addTableActs(
  routes: Hono<AppEnv>,
  deps: RouteDeps,
  projections: readonly Projection[],
): void {
  addStarts(routes, deps, projections);
  addChanges(routes, deps, projections);
  addFlip(routes, deps, projections);
  addFoldAgain(routes, deps);
}

/** The reason as a note, and in the same transaction whatever `also` writes. */
async function withReason(
  c: CommandContext,
  deps: RouteDeps,
  why: string,
  also: (transaction: TransactionSql) => Promise<unknown>,
): Promise<RowInSameTransaction> {
  const note = await noteOf(c, deps, why, null);
  return {
    id: note?.id ?? deps.newId(),
    write: async (transaction) => {
      await note?.write(transaction);
      await also(transaction);
    },
  };
}

type Act = {
  readonly projection: string;
  readonly why: string;
  readonly wanted: Wanted;
  readonly acceptHeld: boolean;
};

/** Sends the command and writes its order for the rebuild with this id; null for the open rebuild. */
async function order<Command extends ActOnTables>(
  c: CommandContext,
  deps: RouteDeps,
  projections: readonly Projection[],
  act: Act,
  command: {
    readonly decider: Decider<Command, ActedOn>;
    readonly more: Omit<Command, keyof ActOnTables>;
  },
  newId: string | null,
): Promise<void> {
  const { projection, why, wanted, acceptHeld } = act;
  const { facts, openRebuild } = await readFacts(deps, projections, projection);
  const rebuildId = newId ?? openRebuild ?? deps.newId();
  const row = await withReason(c, deps, why, (transaction) =>
    writeOrder(transaction, { projection, rebuildId, wanted, acceptHeld }),
  );
  const common: ActOnTables = {
    projection,
    facts,
    noteId: row.id,
    happenedAt: deps.clock().toISOString(),
  };
  await runCommand(c, deps.ledger, command.decider, { ...common, ...command.more } as Command, row);
}

function addStarts(
  routes: Hono<AppEnv>,
  deps: RouteDeps,
  projections: readonly Projection[],
): void {
  const starts = [
    {
      path: "/operations/projections/:name/rebuild",
      summary: "Build new tables of a projection next to the shown ones, and compare them",
      decider: startRebuild,
      wanted: "built",
      message: "Rebuild started",
    },
    {
      path: "/operations/projections/:name/take-back",
      summary: "Show the tables from before the last switch again",
      decider: takeBackFlip,
      wanted: "taken-back",
      message: "Going back to the earlier tables",
    },
  ] as const;
  for (const { path, summary, decider, wanted, message } of starts) {
    routes.post(
      path,
      admin,
      documented({ summary, tag, answer: operatorResponse }),
      pathParams(projectionParams),
      jsonBody(operatorRequest),
      async (c) => {
        const { name: projection } = c.req.valid("param");
        const { why } = c.req.valid("json");
        const id = deps.newId();
        const act: Act = { projection, why, wanted, acceptHeld: false };
        await order(c, deps, projections, act, { decider, more: { id } }, id);
        return c.json({ message });
      },
    );
  }
}

function addChanges(
  routes: Hono<AppEnv>,
  deps: RouteDeps,
  projections: readonly Projection[],
): void {
  const changes = [
    {
      path: "/operations/projections/:name/pause",
      summary: "Pause the rebuild of a projection",
      decider: pauseRebuild,
      wanted: "paused",
      message: "Rebuild paused",
    },
    {
      path: "/operations/projections/:name/resume",
      summary: "Resume a rebuild that was paused or failed",
      decider: resumeRebuild,
      wanted: "built",
      message: "Rebuild resumed",
    },
    {
      path: "/operations/projections/:name/cancel",
      summary: "Cancel the rebuild of a projection and drop what it made",
      decider: cancelRebuild,
      wanted: "canceled",
      message: "Rebuild canceled",
    },
  ] as const;
  for (const { path, summary, decider, wanted, message } of changes) {
    routes.post(
      path,
      admin,
      documented({ summary, tag, answer: operatorResponse }),
      pathParams(projectionParams),
      jsonBody(operatorRequest),
      async (c) => {
        const { name: projection } = c.req.valid("param");
        const { why } = c.req.valid("json");
        const act: Act = { projection, why, wanted, acceptHeld: false };
        await order(c, deps, projections, act, { decider, more: {} }, null);
        return c.json({ message });
      },
    );
  }
}

function addFlip(routes: Hono<AppEnv>, deps: RouteDeps, projections: readonly Projection[]): void {
  routes.post(
    "/operations/projections/:name/flip",
    admin,
    documented({
      summary: "Show the rebuilt tables of a projection",
      tag,
      answer: operatorResponse,
    }),
    pathParams(projectionParams),
    jsonBody(flipRequest),
    async (c) => {
      const { name: projection } = c.req.valid("param");
      const { why, acceptHeld = false } = c.req.valid("json");
      const act: Act = { projection, why, wanted: "shown", acceptHeld };
      const command = { decider: flipTables, more: { acceptHeld } };
      await order(c, deps, projections, act, command, null);
      return c.json({ message: "Switching to the rebuilt tables" });
    },
  );
}

function addFoldAgain(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.post(
    "/operations/held/fold-again",
    admin,
    documented({
      summary: "Fold row keys again that are held back",
      tag,
      answer: operatorResponse,
    }),
    jsonBody(foldAgainRequest),
    async (c) => {
      const { projection, key = null, why } = c.req.valid("json");
      const row = await withReason(c, deps, why, (transaction) =>
        askToFold(transaction, projection, key),
      );
      await runCommand(
        c,
        deps.ledger,
        foldAgain,
        {
          projection,
          key,
          held: await countHeldNow(deps.sql, projection, key),
          noteId: row.id,
          happenedAt: deps.clock().toISOString(),
        },
        row,
      );
      return c.json({
        message: key === null ? "Replaying the held rows" : "Replaying the held row",
      });
    },
  );
}
