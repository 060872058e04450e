// One's own passkeys, authenticator app and recovery codes: what there is, adding and removing.
import { type Context, Hono } from "hono";
import { settingUp } from "#http/access.ts";
import { confirmed } from "#http/confirmed.ts";
import { documented } from "#http/document.ts";
import type { SignedInEnv, AppEnv } from "#http/env.ts";
import { jsonBody, noBody, pathParams } from "#http/validate.ts";
import { rememberBrowser } from "#features/sign-in/caller.ts";
import { emptyRequest } from "#features/sign-in/contract.ts";
import {
  addPasskeyRequest,
  addTotpRequest,
  factorAddedResponse,
  factorParams,
  factorRemovedResponse,
  factorsResponse,
  recoveryCodesResponse,
  totpStartedResponse,
} from "#features/sign-in/contract-factors.ts";
import { passkeyOptionsResponse } from "#features/sign-in/contract-passkeys.ts";
import { canHavePasskeys, passkeySiteOf, refusePasskey } from "#features/sign-in/passkey-site.ts";
import type { SignInParts } from "#features/sign-in/parts.ts";
import { refuse } from "#features/sign-in/refusal.ts";
import { tellOwner } from "#http/send-letter.ts";
import { readOwnAccount } from "#identity/own-account.ts";
import { countRecoveryCodes, makeRecoveryCodes } from "#identity/recovery-codes.ts";
import { otpauthUri, toBase32 } from "#identity/totp.ts";

const tag = "identity";

/** Routes under `/identity/factors`. An admin who has to add a factor before anything else may use them all. */
export function factorRoutes(parts: SignInParts): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  addReads(routes, parts);
  addTotp(routes, parts);
  addPasskey(routes, parts);
  addRemoval(routes, parts);
  addRecoveryCodes(routes, parts);
  return routes;
}

function isRequiredOf({ adminSecondFactor }: SignInParts, c: Context<SignedInEnv>): boolean {
  return adminSecondFactor === "required" && c.var.person.role === "admin";
}

function addReads(routes: Hono<AppEnv>, parts: SignInParts): void {
  const { addresses, factors, sql } = parts;
  routes.get(
    "/identity/factors",
    settingUp,
    documented({ summary: "List one's second factors", tag, answer: factorsResponse }),
    async (c) => {
      const { uid } = c.get("person");
      const [listed, recoveryCodesLeft] = await Promise.all([
        factors.list(uid),
        countRecoveryCodes(sql, uid),
      ]);
      return c.json({
        factors: listed.map(({ addedAt, lastUsedAt, ...factor }) => ({
          ...factor,
          addedAt: addedAt.toISOString(),
          lastUsedAt: lastUsedAt?.toISOString() ?? null,
        })),
        recoveryCodesLeft,
        isRequired: isRequiredOf(parts, c),
        canHavePasskeys: canHavePasskeys(addresses.ofRequest(c)),
      });
    },
  );
}

/** What apps and browsers show next to the store's name. */
async function accountNameOf({ sql }: SignInParts, uid: string): Promise<string> {
  return (await readOwnAccount(sql, uid)).email ?? uid;
}

function addTotp(routes: Hono<AppEnv>, parts: SignInParts): void {
  const { attempts, factors, storeName } = parts;
  routes.post(
    "/identity/factors/totp/start",
    settingUp,
    confirmed,
    documented({
      summary: "Start adding an authenticator app: get its secret",
      tag,
      answer: totpStartedResponse,
    }),
    jsonBody(emptyRequest),
    async (c) => {
      const { uid } = c.get("person");
      await attempts.setups.consume(uid);
      const [name, account] = await Promise.all([storeName(), accountNameOf(parts, uid)]);
      const secret = await factors.beginTotp(uid);
      return c.json({ secret: toBase32(secret), uri: otpauthUri(secret, name, account) });
    },
  );
  routes.post(
    "/identity/factors/totp",
    settingUp,
    confirmed,
    documented({
      summary: "Add an authenticator app with its first code",
      tag,
      answer: factorAddedResponse,
    }),
    jsonBody(addTotpRequest),
    async (c) => {
      const { uid, sessionId } = c.get("person");
      await attempts.setups.consume(uid);
      const added = await factors.finishTotp({ uid, sessionId }, c.req.valid("json").code);
      if (added.kind === "refused") {
        throw refuse(added.code, added.code === "wrong_code" ? "code" : undefined);
      }
      await rememberAdder(parts, c);
      await noteAdded(parts, c, "totp-added", added.codes);
      return c.json({ recoveryCodes: copyOf(added.codes) });
    },
  );
}

function addPasskey(routes: Hono<AppEnv>, parts: SignInParts): void {
  const { attempts, passkeys } = parts;
  routes.post(
    "/identity/factors/passkey/start",
    settingUp,
    confirmed,
    documented({
      summary: "Start adding a passkey: get what the browser needs",
      tag,
      answer: passkeyOptionsResponse,
    }),
    jsonBody(emptyRequest),
    async (c) => {
      const { uid } = c.get("person");
      await attempts.setups.consume(uid);
      const site = await passkeySiteOf(parts, c);
      const account = await accountNameOf(parts, uid);
      const options = await passkeys.beginAdding(site, { uid, account, displayName: account });
      return c.json({ options: { ...options } });
    },
  );
  routes.post(
    "/identity/factors/passkey",
    settingUp,
    confirmed,
    documented({ summary: "Add a passkey", tag, answer: factorAddedResponse }),
    jsonBody(addPasskeyRequest),
    async (c) => {
      const { uid, sessionId } = c.get("person");
      await attempts.setups.consume(uid);
      const { name, passkey: answer } = c.req.valid("json");
      const site = await passkeySiteOf(parts, c);
      const added = await passkeys.finishAdding(site, {
        adder: { uid, sessionId },
        name,
        answer,
      });
      if (added.kind === "refused") {
        throw refusePasskey(c, added.because);
      }
      await rememberAdder(parts, c);
      await noteAdded(parts, c, "passkey-added", added.codes);
      return c.json({ recoveryCodes: copyOf(added.codes) });
    },
  );
}

/** The first factor makes all browsers unknown; this one has just used the factor. */
async function rememberAdder(parts: SignInParts, c: Context<SignedInEnv>): Promise<void> {
  const { uid, sessionId } = c.var.person;
  if (sessionId !== null) {
    await rememberBrowser(parts, c, uid, { kind: "entered", by: sessionId });
  }
}

async function noteAdded(
  parts: SignInParts,
  c: Context<SignedInEnv>,
  kind: "passkey-added" | "totp-added",
  codes: readonly string[] | null,
): Promise<void> {
  const noted = { outcome: "ok", about: { uid: c.var.person.uid } } as const;
  await c.var.security.note({ ...noted, kind });
  if (codes !== null) {
    await c.var.security.note({ ...noted, kind: "recovery-codes-made" });
  }
  await tellOwner(parts, c, c.var.person.uid, kind);
}

function copyOf(codes: readonly string[] | null): string[] | null {
  return codes === null ? null : [...codes];
}

function addRemoval(routes: Hono<AppEnv>, parts: SignInParts): void {
  routes.delete(
    "/identity/factors/:id",
    settingUp,
    confirmed,
    documented({ summary: "Remove a second factor", tag, answer: factorRemovedResponse }),
    pathParams(factorParams),
    noBody,
    async (c) => {
      const { uid } = c.get("person");
      const { id } = c.req.valid("param");
      const removed = await parts.factors.remove(uid, id, !isRequiredOf(parts, c));
      if (removed.kind === "refused") {
        throw refuse(removed.code);
      }
      const kind = `${removed.factor}-removed` as const;
      await c.var.security.note({ kind, outcome: "ok", about: { uid } });
      await tellOwner(parts, c, uid, kind);
      return c.json({ removed: true });
    },
  );
}

function addRecoveryCodes(routes: Hono<AppEnv>, parts: SignInParts): void {
  const { clock, factors, sql } = parts;
  routes.post(
    "/identity/factors/recovery-codes",
    settingUp,
    confirmed,
    documented({
      summary: "Make new recovery codes; the old ones stop working",
      tag,
      answer: recoveryCodesResponse,
    }),
    jsonBody(emptyRequest),
    async (c) => {
      const { uid } = c.get("person");
      if ((await factors.ways(uid)) === undefined) {
        throw refuse("no_factor");
      }
      const codes = await sql.begin((transaction) => makeRecoveryCodes(transaction, clock(), uid));
      await c.var.security.note({ kind: "recovery-codes-made", outcome: "ok", about: { uid } });
      await tellOwner(parts, c, uid, "recovery-codes-made");
      return c.json({ recoveryCodes: [...codes] });
    },
  );
}
