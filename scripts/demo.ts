// `npm run demo`: the whole service on one machine with a sample store in it, ready to click through.
import { relative } from "node:path";
import { startMachine } from "#process/machine.ts";
import { runProcess } from "#process/run-process.ts";
import { createRunner } from "#ledger/projection/run.ts";
import { events, projections } from "../services/features.ts";
import { buildWebIfNeeded } from "./build-web.ts";
import { demoPassword, loadSampleStore } from "./sample-store.ts";
import type { SampleLoaded } from "./sample-store.ts";
import { describeUpgrade } from "./upgrade-report.ts";

const usage = `Usage: npm run demo

Builds the screens, starts an embedded database, loads a sample store the first time, and serves everything
on one address. A store of an older version is upgraded and keeps the sample that it has. PORT, HOST and DATA_DIR change where. It never runs against DATABASE_URL.
`;

process.env["LOG_LEVEL"] ??= "warn";

await runProcess("demo", usage, async (config, logger, signal) => {
  if (config.database.kind === "external") {
    throw new Error(
      "DATABASE_URL is set. The demo fills its database with invented people whose password is public, " +
        "so it only uses an embedded one: unset DATABASE_URL, or use `npm start`.",
    );
  }
  if (config.isProduction) {
    throw new Error("NODE_ENV is production. The demo's passwords are public; use `npm start`.");
  }
  const built = buildWebIfNeeded();
  // Awaited below, after the store is open; without this, a failure before that would end the process.
  built.catch(() => undefined);
  let loaded: SampleLoaded | undefined;
  const machine = await startMachine(config, logger, {
    signal,
    // At the level info, the log says it already.
    ...(logger.isLevelEnabled("info")
      ? {}
      : { tell: (line) => process.stdout.write(`  ${line}\n`) }),
    prepare: async (store) => {
      const { migrations, rebuilt } = store.upgraded;
      const runner = createRunner({ sql: store.stepSql, projections, events });
      loaded = await loadSampleStore(store, runner, migrations.length + rebuilt.length > 0);
      await built;
    },
  });
  const upgrade = describeUpgrade(machine.store.upgraded, loaded);
  const near = relative(process.cwd(), config.dataDir);
  const folder = near === "" || near.startsWith("..") ? config.dataDir : near;
  process.stdout.write(`
  Consignment Ledger with a sample store

    Open       ${machine.url}
    Admin      admin@demo.test
    Consignor  avery@demo.test
    Consignor  blake@demo.test
    Password   ${demoPassword} (for all of them)

    The data stays in ${folder}; remove that folder to begin again.
    Ctrl-C ends everything.

${upgrade === null ? "" : `    ${upgrade}\n\n`}`);
  return machine;
});
