// A worker of its own process for tests of the image backfill: it steps until it is killed, or nothing is left.
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { connect } from "#db/connect.ts";
import { nextStepOf, stepBackfill } from "#features/images/backfill-step.ts";
import { createFindPicture } from "#features/images/find-picture.ts";
import { createRetailer } from "#http/retailer.ts";
import { openLedger } from "#ledger/log/writer.ts";
import { events, streams } from "../../features.ts";

const [url, standIn, hosts, imageHosts, startsAt] = process.argv.slice(2);
if (hosts === undefined || imageHosts === undefined || startsAt === undefined) {
  throw new Error("Usage: node backfill-child.ts <database> <retailer> <hosts> <hosts> <time>");
}
const began = performance.now();
/** Time passes faster, so that nobody waits for the pace of the backfill. */
const FASTER = 20;
const clock = () => new Date(new Date(startsAt).getTime() + FASTER * (performance.now() - began));
const sql = connect(url ?? "", { applicationName: "backfill-child", maxConnections: 3 });
const ledger = openLedger({
  sql: connect(url ?? "", { applicationName: "backfill-child", maxConnections: 1 }),
  streams,
  events,
  newId: randomUUID,
});
const retailer = createRetailer({
  hosts: hosts.split(","),
  imageHosts: imageHosts.split(","),
  proxy: null,
  standIn: standIn ?? null,
});
const findPicture = createFindPicture({ sql, clock, retailer });
for (;;) {
  if ((await nextStepOf(sql, clock())) === "due") {
    await stepBackfill({ sql, ledger, clock, hosts: retailer.hosts, findPicture });
  }
  await delay(10);
}
