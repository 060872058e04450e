// The calls that give units to a consignor, admins only: out of the store's item, as a copy of an item, or scanned.
import type { Hono } from "hono";
import { admin, rehearsable } from "#http/access.ts";
import { runCommand } from "#http/command.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { requireProfile } from "#http/known-person.ts";
import { keptImages } from "#http/stored-images.ts";
import { jsonBody } from "#http/validate.ts";
import {
  allocateRequest,
  barcodeLines,
  copyToConsignorRequest,
  type ItemFilledResponse,
  itemFilledResponse,
  massInputRequest,
  type MassInputResponse,
  massInputResponse,
} from "#features/inventory/contract-commands.ts";
import { allocateUnits, copyToConsignor } from "#features/inventory/decider-fill.ts";
import {
  countBarcodes,
  massInput,
  type MassInputDone,
} from "#features/inventory/decider-mass-input.ts";

const tag = "inventory";

export function addFilling(routes: Hono<AppEnv>, deps: RouteDeps): void {
  addMassInput(routes, deps);
  const answer = itemFilledResponse;
  routes.post(
    "/inventory/allocate",
    rehearsable(admin),
    documented({ summary: "Give units of the store to a consignor", tag, answer }),
    jsonBody(allocateRequest),
    async (c) => {
      const form = c.req.valid("json");
      await requireProfile(deps, form.consignorID);
      const filled = await runCommand(c, deps.ledger, allocateUnits, {
        masterItemId: form.masterItemID,
        ownerUid: form.consignorID,
        units: form.quantity,
        location: form.location ?? "",
        newItemId: deps.newId(),
        happenedAt: deps.clock().toISOString(),
      });
      const message = "Item added to consignor successfully";
      return c.json({ message, ...filled } satisfies ItemFilledResponse);
    },
  );
  routes.post(
    "/inventory/copy-to-consignor",
    rehearsable(admin),
    documented({ summary: "Copy an item to another consignor", tag, answer }),
    jsonBody(copyToConsignorRequest),
    async (c) => {
      const form = c.req.valid("json");
      await requireProfile(deps, form.targetConsignorID);
      const filled = await runCommand(c, deps.ledger, copyToConsignor, {
        sourceOwnerUid: form.sourceConsignorID,
        sourceItemId: form.sourceItemUID,
        ownerUid: form.targetConsignorID,
        units: form.quantity,
        location: form.location ?? "",
        newItemId: deps.newId(),
        happenedAt: deps.clock().toISOString(),
      });
      const message = "Item copied to consignor successfully";
      return c.json({ message, ...filled } satisfies ItemFilledResponse);
    },
  );
}

/** Where goods lie until somebody knows whose they are. */
const UNCLAIMED = "UNCLAIMED";

function addMassInput(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.post(
    "/inventory/consignor/mass-input",
    rehearsable(admin),
    documented({ summary: "Add scanned units of a consignor", tag, answer: massInputResponse }),
    jsonBody(massInputRequest),
    async (c) => {
      const form = c.req.valid("json");
      const ownerUid = form.consignorID ?? null;
      if (ownerUid !== null) {
        await requireProfile(deps, ownerUid);
      }
      const barcodes = barcodeLines(form.barcodes);
      const input = {
        ownerUid,
        shipmentId: form.shipmentId ?? null,
        itemName: form.itemName ?? "",
        described: (form.items ?? []).map(
          ({ listingTitle = "", link = "", imageUrl = "", ...item }) => ({
            ...item,
            listingTitle,
            link,
            imageUrl,
          }),
        ),
        location: ownerUid === null && !form.location ? UNCLAIMED : (form.location ?? ""),
        barcodes,
        newItemIds: Array.from(countBarcodes(barcodes), () => deps.newId()),
        happenedAt: deps.clock().toISOString(),
      };
      const kept = await keptImages(
        deps,
        input.described.map(({ imageUrl }) => imageUrl),
      );
      const done = await runCommand(c, deps.ledger, massInput, input, kept);
      return c.json({
        message: massInputMessage(done),
        ...done,
        items: [...done.items],
      } satisfies MassInputResponse);
    },
  );
}

/** "3 units added to 2 items (1 new)" */
function massInputMessage({ unitsAdded, itemsCreated, items }: MassInputDone): string {
  const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? "" : "s"}`;
  return `${counted(unitsAdded, "unit")} added to ${counted(items.length, "item")} (${itemsCreated} new)`;
}
