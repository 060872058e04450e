// What operators may do to read tables: each call is a command; its order is written with the event, and a worker carries it out.
import type { Hono } from "hono";
import type { TransactionSql } from "postgres";
import type * as z from "zod/mini";
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
import type { FlipRequest } from "#features/operations/contract.ts";
import {
  flipRequest,
  foldAgainRequest,
  operatorRequest,
  operatorResponse,
  projectionParams,
} from "#features/operations/contract.ts";
import type { ActedOn, TableCommand } from "#features/operations/decider.ts";
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
  addActs(routes, deps, projections);
  addFoldAgain(routes, deps);
}

/** The reason as a note, and in the same transaction whatever `also` writes. */
async function withReason(
  c: CommandContext,
  deps: RouteDeps,
  why: string,
  also: (transaction: TransactionSql, noteId: string) => Promise<unknown>,
): Promise<RowInSameTransaction> {
  const note = await noteOf(c, deps, why, null);
  const id = note?.id ?? deps.newId();
  return {
    id,
    write: async (transaction) => {
      await note?.write(transaction);
      await also(transaction, id);
    },
  };
}

type Act = {
  readonly act: string;
  readonly summary: string;
  readonly decider: Decider<TableCommand, ActedOn>;
  readonly wanted: Wanted;
  /** It begins something new, which gets an id; the others are about the open rebuild. */
  readonly begins: boolean;
  readonly request: z.ZodMiniType<FlipRequest>;
  readonly message: string;
};

const acts: readonly Act[] = [
  {
    act: "rebuild",
    summary: "Build new tables of a projection next to the shown ones, and compare them",
    decider: startRebuild,
    wanted: "built",
    begins: true,
    request: operatorRequest,
    message: "Rebuild started",
  },
  {
    act: "pause",
    summary: "Pause the rebuild of a projection",
    decider: pauseRebuild,
    wanted: "paused",
    begins: false,
    request: operatorRequest,
    message: "Rebuild paused",
  },
  {
    act: "resume",
    summary: "Resume a rebuild that was paused or failed",
    decider: resumeRebuild,
    wanted: "built",
    begins: false,
    request: operatorRequest,
    message: "Rebuild resumed",
  },
  {
    act: "cancel",
    summary: "Cancel the rebuild of a projection and drop what it made",
    decider: cancelRebuild,
    wanted: "canceled",
    begins: false,
    request: operatorRequest,
    message: "Rebuild canceled",
  },
  {
    act: "flip",
    summary: "Show the rebuilt tables of a projection",
    decider: flipTables,
    wanted: "shown",
    begins: false,
    request: flipRequest,
    message: "Switching to the rebuilt tables",
  },
  {
    act: "take-back",
    summary: "Show the tables from before the last switch again",
    decider: takeBackFlip,
    wanted: "taken-back",
    begins: true,
    request: flipRequest,
    message: "Going back to the earlier tables",
  },
];

function addActs(routes: Hono<AppEnv>, deps: RouteDeps, projections: readonly Projection[]): void {
  for (const { act, summary, decider, wanted, begins, request, message } of acts) {
    routes.post(
      `/operations/projections/:name/${act}`,
      admin,
      documented({ summary, tag, answer: operatorResponse, takesKey: true }),
      pathParams(projectionParams),
      jsonBody(request),
      async (c) => {
        const { name: projection } = c.req.valid("param");
        const { why, acceptHeld = false } = c.req.valid("json");
        const { facts, openRebuild } = await readFacts(deps, projections, projection);
        const id = begins ? deps.newId() : (openRebuild ?? deps.newId());
        const order = { projection, rebuildId: id, wanted, acceptHeld };
        const row = await withReason(c, deps, why, (transaction, orderId) =>
          writeOrder(transaction, { ...order, orderId }),
        );
        await runCommand(
          c,
          deps.ledger,
          decider,
          {
            projection,
            facts,
            id,
            acceptHeld,
            noteId: row.id,
            happenedAt: deps.clock().toISOString(),
          },
          row,
        );
        return c.json({ message });
      },
    );
  }
}

function addFoldAgain(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.post(
    "/operations/held/fold-again",
    admin,
    documented({
      summary: "Fold row keys again that are held back",
      tag,
      takesKey: true,
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
