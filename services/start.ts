// `npm start`: the whole store on one machine, with an embedded database unless DATABASE_URL names one.
import { startMachine } from "#process/machine.ts";
import { runProcess } from "#process/run-process.ts";
import { printSetupLink } from "#process/setup-notice.ts";

const usage = `Usage: npm start

Runs database, worker, API and screens in one process and prints the address. While there is no admin it
also prints a link that makes the person who opens it the first one. Ctrl-C ends everything in order.
Configuration: see "Configuration" in README.md.
`;

await runProcess("start", usage, async (config, logger) => {
  const machine = await startMachine(config, logger);
  process.stdout.write(`Consignment Ledger is at ${machine.url}\n`);
  await printSetupLink(machine.store, machine.url);
  return machine;
});
