// The calls that change settings, admins only: what was typed in, a command for the ledger out.
import type { Hono } from "hono";
import { admin, rehearsable } from "#http/access.ts";
import { runCommand } from "#http/command.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { badRequest, HttpError } from "#http/errors.ts";
import { requireProfile } from "#http/known-person.ts";
import type { StoreDetails } from "#http/store-facts.ts";
import { jsonBody, pathParams } from "#http/validate.ts";
import { canonicalJson } from "#ledger/log/chain.ts";
import { toCents } from "#ledger/money.ts";
import {
  agreeShareRequest,
  agreeShareResponse,
  changeDetailsRequest,
  changeRatesRequest,
  changeTimeZoneRequest,
  settingsChangedResponse,
  settingsRefusals,
  shareParams,
} from "#features/settings/contract.ts";
import { detailsNow, readSettings } from "#features/settings/current-settings.ts";
import {
  agreeShare,
  changeDetails,
  changeRates,
  changeTimeZone,
} from "#features/settings/decider.ts";
import { writeDetails } from "#features/settings/store-rows.ts";
import { isKnownToPostgres } from "#http/known-time-zones.ts";
import { isTimeZone } from "#http/time-zones.ts";

const tag = "settings";

export function addSettingsChanges(routes: Hono<AppEnv>, deps: RouteDeps): void {
  addRates(routes, deps);
  addDetails(routes, deps);
  addTimeZone(routes, deps);
  addShare(routes, deps);
}

function addRates(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.put(
    "/settings/rates",
    rehearsable(admin),
    documented({
      summary: "Change the store's rates from now on",
      tag,
      answer: settingsChangedResponse,
    }),
    jsonBody(changeRatesRequest),
    async (c) => {
      const { expectedVersion = null, tradeShippingFee, ...rates } = c.req.valid("json");
      const { version } = await runCommand(c, deps.ledger, changeRates, {
        rates: { ...rates, tradeShippingFeeCents: toCents(tradeShippingFee) },
        expectedVersion,
        happenedAt: deps.clock().toISOString(),
      });
      return c.json({ message: "Rates saved", version });
    },
  );
}

function addDetails(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.put(
    "/settings/details",
    rehearsable(admin),
    documented({
      summary: "Change the store's name, address and texts",
      tag,
      answer: settingsChangedResponse,
    }),
    jsonBody(changeDetailsRequest),
    async (c) => {
      const { expectedVersion = null, ...typed } = c.req.valid("json");
      const details: StoreDetails = { ...typed, venmoName: typed.venmoName.replace(/^@/u, "") };
      const state = await readSettings(deps);
      const isSame = canonicalJson(details) === canonicalJson(await detailsNow(deps.sql, state));
      const detailsId = deps.newId();
      const { version } = await runCommand(
        c,
        deps.ledger,
        changeDetails,
        {
          detailsId,
          comparedWith: state.detailsId,
          isSame,
          expectedVersion,
          happenedAt: deps.clock().toISOString(),
        },
        {
          id: detailsId,
          write: (transaction) => writeDetails(transaction, detailsId, details),
        },
      );
      return c.json({ message: "Store details saved", version });
    },
  );
}

function addTimeZone(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.put(
    "/settings/time-zone",
    rehearsable(admin),
    documented({ summary: "Change the store's time zone", tag, answer: settingsChangedResponse }),
    jsonBody(changeTimeZoneRequest),
    async (c) => {
      const { timeZone, expectedVersion = null } = c.req.valid("json");
      if (deps.store.fixedTimeZone !== null) {
        const { status, message } = settingsRefusals.time_zone_fixed;
        throw new HttpError(status, "time_zone_fixed", message);
      }
      if (!isTimeZone(timeZone)) {
        throw badRequest("unknown_time_zone", "There is no such time zone", "timeZone");
      }
      if (!(await isKnownToPostgres(deps.sql, timeZone))) {
        const message = "The database does not know this time zone. Choose another name of it";
        throw badRequest("unknown_time_zone", message, "timeZone");
      }
      const { version } = await runCommand(c, deps.ledger, changeTimeZone, {
        timeZone,
        expectedVersion,
        happenedAt: deps.clock().toISOString(),
      });
      return c.json({ message: "Time zone saved", version });
    },
  );
}

function addShare(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.put(
    "/settings/consignors/:uid/share",
    rehearsable(admin),
    documented({ summary: "Agree a share with a consignor", tag, answer: agreeShareResponse }),
    pathParams(shareParams),
    jsonBody(agreeShareRequest),
    async (c) => {
      const { uid } = c.req.valid("param");
      await requireProfile(deps, uid);
      const { percentage } = await runCommand(c, deps.ledger, agreeShare, {
        uid,
        percentage: c.req.valid("json").percentage,
        happenedAt: deps.clock().toISOString(),
      });
      return c.json({ message: "Agreed share saved", percentage });
    },
  );
}
