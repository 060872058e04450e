// The handles that a payout request suggests: those used last, or chosen on the profile since.
import type { Hono } from "hono";
import { owner, self } from "#http/access.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { keepsAnswer } from "#http/keeps-answer.ts";
import { jsonBody, pathParams } from "#http/validate.ts";
import type { PaymentInfoResponse } from "#features/payouts/contract.ts";
import {
  chooseHandlesRequest,
  paymentInfoResponse,
  payoutUserParams,
  withPrefix,
} from "#features/payouts/contract.ts";

const tag = "payouts";
const METHODS = ["cashapp", "venmo"] as const;

export function addPaymentInfo(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.get(
    "/payouts/:userId/payment-info",
    self("userId"),
    documented({ summary: "Show the suggested handles", tag, answer: paymentInfoResponse }),
    pathParams(payoutUserParams),
    async (c) => c.json(await readPaymentInfo(deps, c.req.valid("param").userId)),
  );
  // An admin's choice would be suggested to the consignor, whose next request would go there.
  routes.put(
    "/payouts/:userId/payment-info",
    owner("userId"),
    documented({ summary: "Choose the suggested handles", tag, answer: paymentInfoResponse }),
    pathParams(payoutUserParams),
    jsonBody(chooseHandlesRequest),
    keepsAnswer,
    async (c) => {
      const { userId: uid } = c.req.valid("param");
      const { cashtag: cashapp, venmoUsername: venmo } = c.req.valid("json");
      const { chosenHandles } = deps.identity.parts;
      for (const method of METHODS) {
        const typed = { cashapp, venmo }[method];
        if (typed !== undefined) {
          const handle = withPrefix(method, typed ?? "");
          await chosenHandles.choose(uid, method, handle.length > 1 ? handle : null);
        }
      }
      await c.var.security.note({ kind: "payout-handle-chosen", outcome: "ok", about: { uid } });
      return c.json(await readPaymentInfo(deps, uid));
    },
  );
}

async function readPaymentInfo(
  { payoutHandles, identity, store }: RouteDeps,
  uid: string,
): Promise<PaymentInfoResponse> {
  const [used, chosen, { venmoName }] = await Promise.all([
    payoutHandles.lastUsed(uid),
    identity.parts.chosenHandles.find(uid),
    store.details(),
  ]);
  const suggested = (method: (typeof METHODS)[number]): string | null => {
    const last = used.find((handle) => handle.method === method);
    const choice = chosen.find((handle) => handle.method === method);
    return choice !== undefined && (last === undefined || choice.chosenAt >= last.lastUsedAt)
      ? choice.handle
      : (last?.handle ?? null);
  };
  return {
    cashtag: suggested("cashapp"),
    venmoUsername: suggested("venmo"),
    storeVenmoName: venmoName === "" ? null : venmoName,
  };
}
