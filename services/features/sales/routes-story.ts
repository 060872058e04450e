// The call that tells a sale's story, to admins and to its consignor.
import type { Hono } from "hono";
import { signedIn } from "#http/access.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { notFound } from "#http/errors.ts";
import { readsFrom, refuseHeld, respondFresh } from "#http/freshness.ts";
import { pathParams, queryString } from "#http/validate.ts";
import { saleParams } from "#features/sales/contract.ts";
import { saleStoryQuery, saleStoryResponse } from "#features/sales/contract-story.ts";
import { findSaleById } from "#features/sales/queries.ts";
import { readStory } from "#features/sales/queries-story.ts";
import { profilesFor } from "#identity/profiles.ts";

export function addStory(routes: Hono<AppEnv>, deps: RouteDeps): void {
  const { reads, profiles, notes, readEvent } = deps;
  routes.get(
    "/sales/:id/story",
    signedIn,
    documented({ summary: "Show a sale's story", tag: "sales", answer: saleStoryResponse }),
    pathParams(saleParams),
    queryString(saleStoryQuery),
    readsFrom("sales"),
    async (c) => {
      const { id } = c.req.valid("param");
      await refuseHeld(c, "sales", id, "This sale");
      const sale = await findSaleById(reads, profiles, id);
      const { role, uid } = c.var.person;
      const isAdmin = role === "admin";
      // Do not reveal that somebody else's sale exists.
      if (sale === undefined || (!isAdmin && sale.consignorID !== uid)) {
        throw notFound("sale_not_found", "There is no such sale");
      }
      const names = profilesFor(role, profiles);
      const { cursor, limit } = c.req.valid("query");
      const reader = { uid, isAdmin };
      const asked = { saleId: id, consignorId: sale.consignorID, reader, cursor, limit };
      return respondFresh(
        c,
        await readStory(
          { reads, profiles: names, notes, readEvent },
          { ...asked, freshTo: c.var.freshTo },
        ),
      );
    },
  );
}
