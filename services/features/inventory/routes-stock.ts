// The calls that take units out without a sale and that change many tag prices at once; admins only.
import type { Hono } from "hono";
import { admin, rehearsable } from "#http/access.ts";
import { runCommand } from "#http/command.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { jsonBody } from "#http/validate.ts";
import {
  type ItemChangedResponse,
  itemChangedResponse,
  removeUnitsRequest,
} from "#features/inventory/contract-commands.ts";
import {
  changePricesRequest,
  type ChangePricesResponse,
  changePricesResponse,
} from "#features/inventory/contract-prices.ts";
import { removeUnits } from "#features/inventory/decider-archive.ts";
import { changePrices } from "#features/inventory/decider-prices.ts";
import { unitsText } from "#ledger/explain.ts";

const tag = "inventory";

export function addStockCommands(routes: Hono<AppEnv>, { ledger, clock }: RouteDeps): void {
  routes.post(
    "/inventory/remove",
    rehearsable(admin),
    documented({
      summary: "Take units out of an item without a sale",
      tag,
      answer: itemChangedResponse,
    }),
    jsonBody(removeUnitsRequest),
    async (c) => {
      const { itemID: itemId, quantity: units, reason } = c.req.valid("json");
      const happenedAt = clock().toISOString();
      const done = await runCommand(c, ledger, removeUnits, { itemId, units, reason, happenedAt });
      return c.json({
        message: `Removed ${unitsText(units)}`,
        ...done,
      } satisfies ItemChangedResponse);
    },
  );
  routes.post(
    "/inventory/prices",
    rehearsable(admin),
    documented({
      summary: "Change the tag prices of many items at once",
      tag,
      answer: changePricesResponse,
    }),
    jsonBody(changePricesRequest),
    async (c) => {
      const { items, change } = c.req.valid("json");
      const done = await runCommand(c, ledger, changePrices, {
        items: items.map(({ itemID, tagPriceCents }) => ({
          itemId: itemID,
          seenCents: tagPriceCents,
        })),
        rule: change,
        happenedAt: clock().toISOString(),
      });
      const message = `${done.changed} tag ${done.changed === 1 ? "price" : "prices"} changed`;
      return c.json({ message, ...done, items: [...done.items] } satisfies ChangePricesResponse);
    },
  );
}
