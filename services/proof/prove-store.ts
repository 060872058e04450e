// The proof of everything: behind `npm run verify`, every night in the worker, and in `npm run tamper`.
import { bookChecks, events, projections, streams } from "../features.ts";
import type { Sql } from "#db/connect.ts";
import type { SecretKeys } from "#identity/sealed.ts";
import type { HeadsPlace } from "#ledger/log/head-files.ts";
import { headFilesAt, headFilesIn, openHeads } from "#ledger/log/head-files.ts";
import { headsInHand } from "#ledger/verify/heads.ts";
import type { PublishedHead } from "#ledger/verify/chain.ts";
import type { VerifyOptions, VerifyReport } from "#ledger/verify/verify.ts";
import { verifyBooks } from "#ledger/verify/verify.ts";
import { signingKeysCheck } from "./signing-keys-check.ts";
import { statementKeysCheck } from "./statement-keys-check.ts";

/** Which heads the log is compared with. */
export type HeadsWanted = {
  readonly place: HeadsPlace;
  /** Files and folders of heads kept elsewhere. */
  readonly copies: readonly string[];
  /** Given by hand. */
  readonly asked: readonly PublishedHead[];
};

export type ProofOptions = Pick<
  VerifyOptions,
  | "hasOwnServer"
  | "onProgress"
  | "onWaiting"
  | "onDifferences"
  | "prepare"
  | "signal"
  | "withoutReplay"
> & {
  /** Without them it is not checked who made the keys of statements and of ID tokens. */
  readonly secretKeys?: SecretKeys | null;
};

/** Proves everything in the register of features. Changes nothing. */
export async function proveStore(
  sql: Sql,
  { place, copies, asked }: HeadsWanted,
  { secretKeys = null, ...options }: ProofOptions = {},
): Promise<VerifyReport> {
  const files = [...(await headFilesIn(place)), ...(await headFilesAt(copies))];
  await using opened = await openHeads(files);
  const inHand = asked.length === 0 ? [] : [headsInHand("--head", asked)];
  const none = files.length === 0 ? [headsInHand(place.folder, [])] : [];
  return await verifyBooks({
    ...options,
    sql,
    events,
    streams,
    projections,
    checks: [...bookChecks, statementKeysCheck(secretKeys), signingKeysCheck(secretKeys)],
    heads: [...opened.sources, ...inHand, ...none],
  });
}
