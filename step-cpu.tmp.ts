import { mkdtemp, rm, chmod } from "node:fs/promises";
import { readFileSync, readdirSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
const root = process.argv[2] ?? "";
const from = (p: string) => import(join(root, p));
const { connect } = await from("services/db/connect.ts");
const { appRole, startEmbedded } = await from("services/db/embedded.ts");
const { migrate } = await from("services/db/migrate.ts");
const { events, projections, streams } = await from("services/features.ts");
const { openLedger } = await from("services/ledger/log/writer.ts");
const { ensureProjections } = await from("services/ledger/projection/ensure.ts");
const { createRunner } = await from("services/ledger/projection/run.ts");
const { recordCustomSale } = await from("services/features/sales/decider-record.ts");
const { rebuildProjection } = await from("services/ledger/projection/rebuild.ts");
const dataDir = await mkdtemp(join(tmpdir(), "step-cpu-"));
await chmod(dataDir, 0o711);
const server = await startEmbedded({ dataDir, durability: "test", holder: "script" });
const ticks = (pid: number) => {
  try {
    const f = readFileSync(`/proc/${pid}/stat`, "utf8");
    const r = f.slice(f.lastIndexOf(")") + 2).split(" ");
    return Number(r[11]) + Number(r[12]);
  } catch {
    return 0;
  }
};
try {
  await migrate({ ownerUrl: server.ownerUrl, appRole });
  const work = connect(server.appUrl, { applicationName: "w", maxConnections: 1 });
  const other = connect(server.appUrl, { applicationName: "o", maxConnections: 4 });
  await ensureProjections({ sql: other, projections, events });
  const ledger = openLedger({
    sql: connect(server.appUrl, { applicationName: "l", maxConnections: 1 }),
    streams,
    events,
    newId: randomUUID,
  });
  const two = connect(server.appUrl, { applicationName: "two", maxConnections: 2 });
  const runner = createRunner({ sql: two, projections, events });
  let n = 0;
  const sell = () => {
    n += 1;
    const saleId = randomUUID();
    return ledger.execute(
      recordCustomSale,
      {
        saleId,
        consignorId: `consignor-00000000000${n % 50}`,
        itemName: "Cable",
        amountCents: 100,
        happenedAt: "2026-11-20T10:00:00.000Z",
      },
      { actor: "system:test", scope: "store", key: saleId, requestHash: "00" },
    );
  };
  const pids = async () =>
    (await other`select pid from pg_stat_activity where application_name = 'two'`).map(
      (r: any) => r.pid,
    );
  for (let i = 0; i < 100; i += 1) {
    await sell();
    await runner.catchUp();
  }
  const before = (await pids()).map(ticks).reduce((a: number, b: number) => a + b, 0);
  const nodeBefore = process.cpuUsage();
  for (let i = 0; i < 300; i += 1) {
    await sell();
    await runner.catchUp();
  }
  const live = ((await pids()).map(ticks).reduce((a: number, b: number) => a + b, 0) - before) * 10;
  const nodeMs = process.cpuUsage(nodeBefore);
  for (let r = 0; r < 10; r += 1) {
    await Promise.all(Array.from({ length: 1000 }, sell));
  }
  const b2 = (await pids()).map(ticks).reduce((a: number, b: number) => a + b, 0);
  await runner.catchUp();
  const bulk = ((await pids()).map(ticks).reduce((a: number, b: number) => a + b, 0) - b2) * 10;
  console.log(
    JSON.stringify({
      root,
      liveBackendMsPer300: live,
      nodeMs: Math.round((nodeMs.user + nodeMs.system) / 1000),
      bulk10kMs: bulk,
    }),
  );
  await ledger.close();
  await Promise.all([work, other, two].map((s: any) => s.end({ timeout: 1 })));
} finally {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}
process.exit(0);
