// Proves everything in a thread of its own, so that the proof of a large log does not delay requests.
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { ProofOrder } from "./proof-thread-entry.ts";
import type { BooksProof } from "./prove-books.ts";

/** Rejects with the thread's error, or with the signal's reason after ending the thread. */
export async function proveInThread(order: ProofOrder, signal: AbortSignal): Promise<BooksProof> {
  signal.throwIfAborted();
  const thread = new Worker(new URL("./proof-thread-entry.ts", import.meta.url), {
    name: "proof",
    workerData: order,
    // It needs neither of them.
    env: {},
    execArgv: [],
  });
  const over = new AbortController();
  const until = { signal: AbortSignal.any([signal, over.signal]) };
  try {
    // Both reject with the thread's error, if it has one.
    const said = await Promise.race([
      once(thread, "message", until).then(([proof]: BooksProof[]) => proof),
      once(thread, "exit", until).then(() => undefined),
    ]);
    if (said === undefined) {
      throw new Error("The proof's thread ended without a result");
    }
    return said;
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    over.abort();
    await thread.terminate();
  }
}
