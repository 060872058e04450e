// The proof at the end of a statement's file: what it says, where it stands, and how it is checked, in browsers too.
import * as z from "zod/mini";

const hash = /* @__PURE__ */ z.string().check(z.regex(/^[0-9a-f]{64}$/u));

/** What the store's signature says about a statement. */
export const statementProof = z.strictObject({
  format: z.enum(["csv", "pdf"]),
  /** Of the file without its last record (CSV) or of what comes before the proof (PDF). */
  sha256: hash,
  uid: z.string(),
  /** Days in `timeZone`, both inclusive. */
  from: z.string(),
  to: z.string(),
  timeZone: z.string(),
  closingCents: z.int(),
  inTransitCents: z.int(),
  /** Held for trades: of yearly statements, whose closing balance has it too. Those before 2026-11-23 do not say it. */
  heldCents: z.optional(z.int()),
  /** The statement has everything recorded up to here, and this is the link of the hash chain there. */
  position: z.int(),
  head: z.nullable(hash),
  /** When it was signed, in seconds since 1970. */
  iat: z.int(),
});
export type StatementProof = z.infer<typeof statementProof>;

const statementKey = z.object({
  kty: z.literal("EC"),
  crv: z.literal("P-256"),
  x: z.string(),
  y: z.string(),
  kid: z.string(),
  /** From then on the store signed with another key. */
  retired_at: z.optional(z.string()),
});
export type StatementKey = z.infer<typeof statementKey>;

/** GET /statements/jwks: every key that ever signed a statement. */
export const statementKeysResponse = z.object({ keys: z.array(statementKey) });

/** POST /statements/verify: only the proof is sent, never the file. */
export const verifyStatementRequest = z.strictObject({
  jws: /* @__PURE__ */ z.string().check(z.maxLength(8_192, "A proof has at most 8,192 characters")),
});

const laterEntries = z.object({ count: z.int(), amount: z.number() });

export const verifyStatementResponse = z.object({
  /** The log's link at the statement's position: the same, another one, or there is no such position. */
  head: z.enum(["same", "differs", "missing"]),
  /** Whether the log has the statement's closing balances; null unless the head is the same. */
  closing: z.nullable(z.enum(["same", "differs"])),
  /** Null unless the head and the closing balances are the same. Amounts are changes of the closing balance. */
  later: z.nullable(
    z.object({
      /** Entries that happened, or were booked, in the period, and were recorded after the statement. */
      late: laterEntries,
      /** Refunds of sales that are on the statement. */
      refunds: laterEntries,
      /** Corrections, and other later changes of sales, payouts and trades that are on the statement. */
      changes: laterEntries,
      /** Entries up to this position are counted. */
      through: z.int(),
    }),
  ),
});
export type VerifyStatementResponse = z.infer<typeof verifyStatementResponse>;

const PDF_MARK = "%consignment-ledger-statement ";

/** The last record of a statement's CSV file. */
export function csvSeal(jws: string): string {
  return `,,,,Signature,${jws},,,,,\r\n`;
}

/**
 * What follows the %%EOF of a statement's PDF: the proof as a comment, and the end of a PDF again, because readers look
 * for it near the end of the file. Undefined if the bytes do not end like a PDF.
 */
export function pdfSeal(jws: string, body: Uint8Array): string | undefined {
  const [, offset] = /startxref\n(\d+)\n%%EOF\n$/u.exec(textOf(body.subarray(-64))) ?? [];
  return offset === undefined ? undefined : `${PDF_MARK}${jws}\nstartxref\n${offset}\n%%EOF\n`;
}

type SignedFile = {
  readonly jws: string;
  /** What the signature must be about; null if the proof is not where it was written. */
  readonly body: Uint8Array<ArrayBuffer> | null;
};

type ReadFile =
  | { readonly kind: "unreadable" | "unsigned" }
  | ({ readonly kind: "signed" } & SignedFile);

function textOf(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes);
}

function readPdf(bytes: Uint8Array<ArrayBuffer>, text: string): ReadFile {
  const at = text.lastIndexOf(`\n${PDF_MARK}`);
  if (at < 0) {
    return { kind: "unsigned" };
  }
  const jws = text.slice(at + 1 + PDF_MARK.length).split("\n", 1)[0] ?? "";
  const body = bytes.subarray(0, at + 1);
  // Nothing may follow the proof but the end that was written with it: a PDF can be changed by adding to it.
  return { kind: "signed", jws, body: pdfSeal(jws, body) === text.slice(at + 1) ? body : null };
}

function readCsv(bytes: Uint8Array<ArrayBuffer>, text: string): ReadFile {
  const jws = [...text.matchAll(/Signature"?[,;\t]"?(eyJ[^",;\t\r\n]*)/gu)].at(-1)?.[1];
  if (jws === undefined) {
    return { kind: "unsigned" };
  }
  const seal = csvSeal(jws);
  const isInPlace = text.endsWith(seal);
  return { kind: "signed", jws, body: isInPlace ? bytes.subarray(0, -seal.length) : null };
}

/** Finds the proof in a file. A spreadsheet that saved the file may have moved it. */
function readFile(bytes: Uint8Array<ArrayBuffer>): ReadFile {
  const text = textOf(bytes);
  if (text.startsWith("%PDF-")) {
    return readPdf(bytes, text);
  }
  // A monthly statement has lines, a yearly one parts.
  const isStatement =
    /^(?:\u00EF\u00BB\u00BF)?"?(?:Line"?[,;\t]"?Position|Part"?[,;\t]"?Period)"?[,;\t]/u.test(text);
  return isStatement ? readCsv(bytes, text) : { kind: "unreadable" };
}

type CheckedSignature =
  /** `forged`: it names a key of the store, but was not made with it. `foreign`: made with a key the store never had. */
  | { readonly kind: "forged" | "foreign" }
  | { readonly kind: "valid"; readonly proof: StatementProof; readonly key: StatementKey };

const header = z.object({ alg: z.literal("ES256"), kid: z.string() });

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

/** The JSON of a part of a JWS; undefined if there is none. */
function jsonOf(part: string): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytesOf(part)));
  } catch {
    return undefined;
  }
}

/** Checks the signature of a proof against the store's published keys. */
export async function checkProof(
  jws: string,
  keys: readonly StatementKey[],
): Promise<CheckedSignature> {
  const [head = "", payload = "", signature = "", ...more] = jws.split(".");
  const named = header.safeParse(jsonOf(head));
  const proof = statementProof.safeParse(jsonOf(payload));
  if (!named.success || !proof.success || more.length > 0 || !/^[\w-]{86}$/u.test(signature)) {
    return { kind: "forged" };
  }
  const key = keys.find(({ kid }) => kid === named.data.kid);
  if (key === undefined) {
    return { kind: "foreign" };
  }
  const { kty, crv, x, y } = key;
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("jwk", { kty, crv, x, y }, algorithm, false, [
    "verify",
  ]);
  const isValid = await crypto.subtle.verify(
    algorithm,
    imported,
    bytesOf(signature),
    new TextEncoder().encode(`${head}.${payload}`),
  );
  return isValid ? { kind: "valid", proof: proof.data, key } : { kind: "forged" };
}

/** What a file says about itself, before the store's log is asked. */
export type CheckedFile =
  | { readonly kind: "unreadable" | "unsigned" | "forged" | "foreign" }
  /** The signature is the store's, but the bytes are not those that were signed. */
  | { readonly kind: "changed"; readonly proof: StatementProof }
  | {
      readonly kind: "intact";
      readonly jws: string;
      readonly proof: StatementProof;
      readonly key: StatementKey;
    };

/** Checks a file's signature and bytes. The keys are fetched only if there is a proof. */
export async function checkFile(
  bytes: Uint8Array<ArrayBuffer>,
  readKeys: () => Promise<readonly StatementKey[]>,
): Promise<CheckedFile> {
  const file = readFile(bytes);
  if (file.kind !== "signed") {
    return file;
  }
  const { jws, body } = file;
  const checked = await checkProof(jws, await readKeys());
  if (checked.kind !== "valid") {
    return checked;
  }
  const { proof, key } = checked;
  const isSame = body !== null && (await sha256(body)) === proof.sha256;
  return isSame ? { kind: "intact", jws, proof, key } : { kind: "changed", proof };
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
