// The calls about the store's settings: open for the name and logo, for admins everything else.
import { Hono } from "hono";
import { admin, open } from "#http/access.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { receiptHead } from "#http/store-facts.ts";
import { readsFrom, respondFresh } from "#http/freshness.ts";
import { readState } from "#ledger/log/read-state.ts";
import { toDollars } from "#ledger/money.ts";
import type { EventExplanations } from "#features/histories.ts";
import { RESTORES, restoresStream } from "#features/restores/streams.ts";
import type { PublicSettingsResponse, SellingResponse } from "#features/settings/contract.ts";
import {
  publicSettingsResponse,
  sellingResponse,
  settingsResponse,
} from "#features/settings/contract.ts";
import { detailsNow, readSettings, timeZoneIn } from "#features/settings/current-settings.ts";
import type { StoreRates } from "#features/settings/events.ts";
import { readSettingsChanges } from "#features/settings/history.ts";
import { addSettingsChanges } from "#features/settings/routes-change.ts";
import { addDays } from "#features/settings/routes-days.ts";
import { addLogo } from "#features/settings/routes-logo.ts";
import { addTimeZones } from "#features/settings/routes-time-zones.ts";
import { logoAddress, readAgreedShares, readDetails } from "#features/settings/store-rows.ts";

const tag = "settings";

/** `explanations` say how the events of the settings read. */
export function settingsRoutes(deps: RouteDeps, explanations: EventExplanations): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  addSettings(routes, deps, explanations);
  addPublic(routes, deps);
  addSelling(routes, deps);
  addDays(routes, deps);
  addTimeZones(routes, deps);
  addSettingsChanges(routes, deps);
  addLogo(routes, deps);
  return routes;
}

function inDollars({ tradeShippingFeeCents, ...rates }: StoreRates) {
  return { ...rates, tradeShippingFee: toDollars(tradeShippingFeeCents) };
}

function addSettings(routes: Hono<AppEnv>, deps: RouteDeps, explanations: EventExplanations): void {
  const { sql, reads, readEvent, profiles, store } = deps;
  routes.get(
    "/settings",
    admin,
    documented({
      summary: "Read the store's settings and their history",
      tag,
      answer: settingsResponse,
    }),
    // From the log itself.
    readsFrom(),
    async (c) => {
      const state = await readSettings(deps);
      const { versions } = state;
      const [details, changes] = await Promise.all([
        detailsNow(sql, state),
        readSettingsChanges({
          reads,
          readEvent,
          explanations,
          profiles,
          readDetails: (ids) => readDetails(sql, ids),
        }),
      ]);
      return respondFresh(c, {
        rates: { ...inDollars(state.rates), version: versions.rates },
        details: { ...details, version: versions.details },
        logo: { address: logoAddress(state.logoId), version: versions.logo },
        timeZone: {
          name: timeZoneIn(state, store.fixedTimeZone),
          fixed: store.fixedTimeZone !== null,
          version: versions.timeZone,
        },
        changes,
      });
    },
  );
}

function addPublic(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.get(
    "/settings/public",
    open,
    documented({
      summary: "Read the store's name, logo, community chat link and usual consignor share",
      tag,
      answer: publicSettingsResponse,
    }),
    async (c) => {
      const { version: _, ...shown } = await deps.store.shopWindow();
      const answer: PublicSettingsResponse = shown;
      return c.json(answer);
    },
  );
}

function addSelling(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.get(
    "/settings/selling",
    admin,
    documented({
      summary: "Read the rates and shares that prefill the till and the sale forms",
      tag,
      answer: sellingResponse,
    }),
    async (c) => {
      const state = await readSettings(deps);
      const [details, agreedShares, restores] = await Promise.all([
        detailsNow(deps.sql, state),
        readAgreedShares(deps.sql),
        readState(deps, restoresStream, RESTORES),
      ]);
      const answer: SellingResponse = {
        ...inDollars(state.rates),
        restoreId: restores.last?.restoreId ?? null,
        agreedShares,
        receipt: receiptHead(details),
      };
      return c.json(answer);
    },
  );
}
