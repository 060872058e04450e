// A process for tests of the embedded server: starts it, prints its address, and waits to be ended from outside.
import { startEmbedded } from "#db/embedded.ts";

const [dataDir] = process.argv.slice(2);
if (dataDir === undefined) {
  throw new Error("Usage: node embedded-child.ts <data folder>");
}
// Simulates a process that drains after Ctrl-C: the server must outlive the signal.
process.on("SIGINT", () => process.stdout.write("SIGINT\n"));
const server = await startEmbedded({ dataDir, durability: "durable", holder: "service" });
process.stdout.write(`${JSON.stringify({ ownerUrl: server.ownerUrl, pid: server.pid() })}\n`);
process.stdin.resume();
