// The address of the app in browser tests: the same for all files of a process, one after the other.
import { freePort } from "#testing/service/service-process.ts";

/** Below the ports that systems give to connections. */
const FIRST = 20_000;
const PORTS = 10_000;

/**
 * The browser keeps what it has loaded and compiled of the app by its address: with it, a page takes three quarters of
 * the processor's time. A second server of the process, open at the same time, gets another port.
 */
export async function steadyPort(): Promise<number> {
  return freePort(FIRST + (process.pid % PORTS));
}
