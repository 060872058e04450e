// Signs a statement's file: the proof is its last record in CSV, and follows its end in PDF.
import { createHash } from "node:crypto";
import type { StatementKeys } from "#identity/statement-keys.ts";
import type { StatementResponse } from "#features/accounts/contract.ts";
import {
  csvSeal,
  pdfSeal,
  type StatementProof,
} from "#features/accounts/contract-statement-proof.ts";
import { toCents } from "#ledger/money.ts";

type Signed = Pick<
  StatementResponse,
  "consignorID" | "from" | "to" | "timeZone" | "position" | "chainHead" | "issuedAt"
> & { readonly closing: StatementResponse["closing"] & { readonly heldForTrades?: number } };

function proofOf(
  statement: Signed,
  format: StatementProof["format"],
  sha256: string,
): StatementProof {
  const { consignorID, from, to, timeZone, closing, position, chainHead, issuedAt } = statement;
  return {
    format,
    sha256,
    uid: consignorID,
    from,
    to,
    timeZone,
    closingCents: toCents(closing.balance),
    inTransitCents: toCents(closing.inTransit),
    ...(closing.heldForTrades === undefined ? {} : { heldCents: toCents(closing.heldForTrades) }),
    position,
    head: chainHead,
    iat: Math.floor(Date.parse(issuedAt) / 1000),
  };
}

/** The last record of a CSV file whose text before it has this hash. */
export async function sealCsv(
  keys: StatementKeys,
  statement: Signed,
  sha256: string,
): Promise<string> {
  return csvSeal(await keys.sign(proofOf(statement, "csv", sha256)));
}

/** The PDF with its proof. Throws if the bytes are not a whole PDF. */
export async function sealPdf(
  keys: StatementKeys,
  statement: Signed,
  bytes: Uint8Array,
): Promise<Uint8Array<ArrayBuffer>> {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const seal = pdfSeal(await keys.sign(proofOf(statement, "pdf", sha256)), bytes);
  if (seal === undefined) {
    throw new Error("The PDF of a statement does not end like a PDF");
  }
  return Uint8Array.from(Buffer.concat([bytes, Buffer.from(seal)]));
}
