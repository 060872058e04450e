// Runs inside the thread of `job-thread.ts`: loads a job's module, runs it, and sends back bytes or an error.
import { setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import type { WorkModule } from "#http/work-thread.ts";

export type Order = { readonly moduleUrl: string; readonly input: unknown };

export type Done =
  | { readonly kind: "done"; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: "failed"; readonly message: string; readonly stack: string };

if (process.platform === "linux") {
  // On Linux this sets only this thread's priority: requests and the database go first. Somebody waits for this too:
  // with 15, which is a thirtieth of their share, a statement took over a minute on a busy machine.
  setPriority(5);
}

async function doneOf({ moduleUrl, input }: Order): Promise<Done> {
  try {
    const { work }: WorkModule = await import(moduleUrl);
    return { kind: "done", bytes: await work(input as never) };
  } catch (error) {
    const failure = error instanceof Error ? error : new Error(String(error));
    return { kind: "failed", message: failure.message, stack: failure.stack ?? "" };
  }
}

async function workOn(order: Order): Promise<void> {
  const done = await doneOf(order);
  const handedOver = done.kind === "done" ? [done.bytes.buffer] : [];
  parentPort?.postMessage(done, handedOver);
}

parentPort?.on("message", (order: Order) => void workOn(order));
