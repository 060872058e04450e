// Jobs for tests of the work thread: one that blocks until it is released, and ones that fail in different ways.
import { threadId } from "node:worker_threads";

/** Shared with the thread: [has begun, may end]. */
export function newGate(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(8));
}

/** Releases the job that waits at the gate. */
export function letGo(gate: Int32Array): void {
  Atomics.store(gate, 1, 1);
  Atomics.notify(gate, 1);
}

export type ThreadJob =
  | { readonly kind: "echo"; readonly text: string }
  | { readonly kind: "wait"; readonly gate: Int32Array }
  | { readonly kind: "throw" | "exit" | "hoard" | "which-thread" };

export function work(job: ThreadJob): Promise<Uint8Array<ArrayBuffer>> {
  switch (job.kind) {
    case "echo": {
      return Promise.resolve(bytesOf(job.text));
    }
    case "wait": {
      // Blocks the thread, as drawing does.
      Atomics.store(job.gate, 0, 1);
      Atomics.wait(job.gate, 1, 0);
      return Promise.resolve(bytesOf("let go"));
    }
    case "throw": {
      throw new RangeError("the pen broke");
    }
    case "exit": {
      return process.exit(3);
    }
    case "hoard": {
      return hoard();
    }
    default: {
      return Promise.resolve(bytesOf(String(threadId)));
    }
  }
}

function hoard(): never {
  const pages: number[][] = [];
  for (;;) {
    pages.push(Array.from({ length: 100_000 }, (_, index) => index));
  }
}

/** With its own buffer, which can be transferred. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(text));
}
