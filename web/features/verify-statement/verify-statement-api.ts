// Checks a statement's file in the browser, and asks the store's log about its proof. The file itself is not sent.
import {
  checkFile,
  statementKeysResponse,
  type StatementKey,
  verifyStatementResponse,
  type VerifyStatementResponse,
} from "#features/accounts/contract-statement-proof.ts";
import { verdictOf, type Verdict } from "#features/accounts/contract-statement-verdict.ts";
import { ApiError } from "#web/lib/api-error.ts";
import { read, send } from "#web/lib/http.ts";

/** Much larger than any statement. */
const LARGEST_BYTES = 64 * 1024 * 1024;

/** Browsers check signatures only on https, and on the machine itself. */
export const canCheck = (): boolean => globalThis.isSecureContext;

async function readKeys(): Promise<readonly StatementKey[]> {
  return (await read("/statements/jwks", statementKeysResponse)).value.keys;
}

async function askLog(jws: string, key: string): Promise<VerifyStatementResponse | null> {
  try {
    return await send({
      method: "POST",
      path: "/statements/verify",
      body: { jws },
      answer: verifyStatementResponse,
      key,
    });
  } catch (error) {
    if (error instanceof ApiError && (error.isUncertain || error.status >= 500)) {
      return null;
    }
    throw error;
  }
}

/** Throws ApiError if the store's keys cannot be read. */
export async function verifyStatement(file: File, key: string): Promise<Verdict> {
  if (file.size > LARGEST_BYTES) {
    return { kind: "unreadable" };
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  return verdictOf(await checkFile(bytes, readKeys), (jws) => askLog(jws, key));
}
