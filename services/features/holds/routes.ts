// The calls about payout holds: whether a payout can be requested now, all open holds, and lifting one.
import { Hono } from "hono";
import { admin, rehearsable, self } from "#http/access.ts";
import { runCommand } from "#http/command.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { noteOf } from "#http/note.ts";
import { jsonBody, pathParams } from "#http/validate.ts";
import type { PayoutHold } from "#features/holds/contract.ts";
import {
  heldMessages,
  holdsResponse,
  liftHoldRequest,
  liftHoldResponse,
  ownHoldsResponse,
  payoutHoldsParams,
} from "#features/holds/contract.ts";
import { liftPayoutHold } from "#features/holds/decider.ts";
import { describeHold } from "#features/holds/explain.ts";
import type { Hold } from "#features/holds/streams.ts";
import { HOLDS, holdsStream, holdStream, holdStreamId } from "#features/holds/streams.ts";
import { readState } from "#ledger/log/read-state.ts";

const tag = "payouts";

function viewOf(hold: Hold): PayoutHold {
  const { uid, reference, cause, since } = hold;
  return { consignorID: uid, reference, cause, description: describeHold(hold), since };
}

export function holdRoutes(deps: RouteDeps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  // Before the calls with a user in their path.
  addAll(routes, deps);
  addOwn(routes, deps);
  return routes;
}

function addAll(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.get(
    "/payouts/holds",
    admin,
    documented({ summary: "List the open payout holds", tag, answer: holdsResponse }),
    async (c) => {
      const { open } = await readState(deps, holdsStream, HOLDS);
      const names = await deps.profiles.displayNames(open.flatMap(({ uid }) => uid ?? []));
      return c.json({
        holds: open.map((hold) => ({
          ...viewOf(hold),
          displayName: hold.uid === null ? null : (names.get(hold.uid) ?? null),
        })),
      });
    },
  );
  routes.post(
    "/payouts/holds/lift",
    rehearsable(admin),
    documented({ summary: "Lift a payout hold", tag, answer: liftHoldResponse }),
    jsonBody(liftHoldRequest),
    async (c) => {
      const { consignorID: uid, reference, reason } = c.req.valid("json");
      const note = await noteOf(c, deps, reason, uid);
      const happenedAt = deps.clock().toISOString();
      const command = { uid, reference, noteId: note?.id ?? "", happenedAt };
      await runCommand(c, deps.ledger, liftPayoutHold, command, note);
      return c.json({ message: "Hold lifted" });
    },
  );
}

function addOwn(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.get(
    "/payouts/:userId/holds",
    self("userId"),
    documented({ summary: "Show whether payouts are held", tag, answer: ownHoldsResponse }),
    pathParams(payoutHoldsParams),
    async (c) => {
      const { userId } = c.req.valid("param");
      const [own, all] = await Promise.all([
        readState(deps, holdStream, holdStreamId(userId)),
        readState(deps, holdStream, holdStreamId(null)),
      ]);
      const open = [...own.open, ...all.open];
      const reason = own.open.length > 0 ? heldMessages.own : heldMessages.all;
      return c.json({
        isHeld: open.length > 0,
        message: open.length > 0 ? reason : null,
        since: open.map(({ since }) => since).toSorted()[0] ?? null,
        holds: c.var.person.role === "admin" ? open.map(viewOf) : [],
      });
    },
  );
}
