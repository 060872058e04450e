// Runs inside the thread of `proof-thread.ts`: proves everything with a low priority, and sends back what it found.
import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import type { SecretKeyConfig } from "#config";
import { connect } from "#db/connect.ts";
import type { HeadsPlace } from "#ledger/log/head-files.ts";
import type { FoundDifferences } from "#ledger/verify/replay.ts";
import { readSecretKeys } from "#process/secret-keys.ts";
import type { BooksProof } from "./prove-books.ts";
import { proveStore } from "./prove-store.ts";

export type ProofOrder = {
  /** As the application's role. */
  readonly databaseUrl: string;
  readonly applicationName: string;
  readonly heads: HeadsPlace;
  readonly secretKey: SecretKeyConfig;
  /** The server is the store's own, the embedded one. */
  readonly hasOwnServer: boolean;
};

if (process.platform === "linux") {
  // On Linux this sets only this thread's priority.
  setPriority(19);
}

// `createProofThread` starts this module with such an order.
const { databaseUrl, applicationName, heads, secretKey, hasOwnServer } = workerData as ProofOrder;
const sql = connect(databaseUrl, { applicationName, maxConnections: 3, isInBackground: true });
try {
  const differences: FoundDifferences[] = [];
  const { position, problems, unlistedProblems, replayedProjections } = await proveStore(
    sql,
    { place: heads, copies: [], asked: [] },
    {
      secretKeys: await readSecretKeys(secretKey),
      hasOwnServer,
      onDifferences: (found) => void differences.push(found),
    },
  );
  const report = { position, problems, unlistedProblems, replayedProjections };
  const proof: BooksProof = { report, differences };
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows
  parentPort?.postMessage(proof);
} finally {
  await sql.end({ timeout: 5 });
}
