// From a validated request to the ledger and back: key, scope and hash in; answer or refusal out.
import { createHash, randomUUID } from "node:crypto";
import type { Context } from "hono";
import type { TransactionSql } from "postgres";
import type { Decider, Rejection } from "#ledger/decider.ts";
import { canonicalJson } from "#ledger/log/chain.ts";
import type { Ledger } from "#ledger/log/ledger.ts";
import type { SignedInEnv } from "#http/env.ts";
import { badRequest, HttpError } from "#http/errors.ts";
import { ownBeginning, STORE_SCOPE } from "#http/own-keys.ts";
import { isRehearsal, REHEARSAL_HEADER, Rehearsed } from "#http/rehearsal.ts";

/** The context of a route behind `signedIn`, `self` or `admin`, with any further declarations. */
export type CommandContext = Pick<Context<SignedInEnv>, "var" | "req" | "header">;

/** A row outside the log that a command's event refers to by id: written in the same transaction as the event. */
export type RowInSameTransaction = {
  readonly id: string;
  /** Runs before the command, for what would make the transaction too long; never in a rehearsal. */
  readonly stage?: () => Promise<void>;
  readonly write: (transaction: TransactionSql) => Promise<void>;
};

/**
 * Runs a command for the signed-in caller under the request's `Idempotency-Key` (or a random one) and returns the
 * ledger's answer. Sets `Ledger-Position`, and `Idempotency-Replayed: true` if the key was repeated. Throws HttpError
 * with the rejection's status, code and message; 422 for a key that was used with another request; 429 if somebody
 * who is not an admin sent too many; 409 if other writers came first in every try.
 *
 * In a rehearsal it decides, writes nothing and throws: `Rehearsed` with what would happen, or the same HttpError as
 * the command itself. So nothing after it runs, and the route needs no code for rehearsals.
 */
export async function runCommand<Command, Answer>(
  c: CommandContext,
  ledger: Ledger,
  decider: Decider<Command, Answer>,
  command: Command,
  row: RowInSameTransaction | null = null,
): Promise<Answer> {
  const { person, commandScope, sentBody, countCommand } = c.var;
  const key = idempotencyKey(c.req.header("Idempotency-Key"));
  const reserved = commandScope === STORE_SCOPE ? ownBeginning(key) : undefined;
  if (reserved !== undefined) {
    throw badRequest(
      "invalid_idempotency_key",
      `An Idempotency-Key does not begin with ${reserved}`,
      "Idempotency-Key",
    );
  }
  if (person.role !== "admin") {
    await countCommand(person.uid);
  }
  if (isRehearsal(c)) {
    throw await rehearsalOf(c, decider, command);
  }
  await row?.stage?.();
  const outcome = await ledger.execute(decider, command, {
    actor: person.uid,
    scope: commandScope,
    key,
    requestHash: requestHash(c.req.method, c.req.url, sentBody),
    ...(row === null ? {} : { inSameTransaction: row.write }),
  });
  if (outcome.kind === "key-reused") {
    throw keyReused();
  }
  if (outcome.kind === "contended") {
    throw new HttpError(
      409,
      "contended",
      "Others are changing the same things right now. Try again",
    );
  }
  c.header("Ledger-Position", String(outcome.position));
  if (outcome.repeated) {
    c.header("Idempotency-Replayed", "true");
  }
  if (outcome.kind === "rejected") {
    throw refusalOf(outcome.rejection);
  }
  return outcome.answer;
}

/** What ends the route. The header says that nothing was done. */
async function rehearsalOf<Command, Answer>(
  c: CommandContext,
  decider: Decider<Command, Answer>,
  command: Command,
): Promise<Rehearsed | HttpError> {
  const { person, rehearse } = c.var;
  const outcome = await rehearse(decider, command, person);
  c.header("Ledger-Position", String(outcome.position));
  c.header(REHEARSAL_HEADER, "true");
  return outcome.kind === "accepted" ? new Rehearsed(outcome.answer) : refusalOf(outcome.rejection);
}

function refusalOf({ status, code, message, current }: Rejection): HttpError {
  return new HttpError(status, code, message, current === undefined ? {} : { current });
}

export function keyReused(): HttpError {
  return new HttpError(
    422,
    "idempotency_key_reused",
    "This Idempotency-Key was used before with another request",
  );
}

/** Checks a key: 1 to 200 visible ASCII characters. Without one, the request gets a random key. */
export function idempotencyKey(header: string | undefined): string {
  if (header === undefined) {
    return randomUUID();
  }
  if (!/^[\x21-\x7e]{1,200}$/.test(header)) {
    throw badRequest(
      "invalid_idempotency_key",
      "Idempotency-Key must be 1 to 200 visible ASCII characters",
      "Idempotency-Key",
    );
  }
  return header;
}

/**
 * Hex sha256 over method, path, query and the body as it was sent, independent of the order of its fields. The body
 * passed its schema, which limits its depth.
 */
export function requestHash(method: string, url: string, sentBody: unknown): string {
  const target = url.slice(url.indexOf("/", url.indexOf("//") + 2));
  return createHash("sha256")
    .update(`${method} ${target}\n${canonicalJson(sentBody ?? null)}`)
    .digest("hex");
}
