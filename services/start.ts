// `npm start`: the whole store on one machine, with an embedded database unless DATABASE_URL names one.
import { createSetupLink } from "#identity/setup-link.ts";
import { startMachine } from "./machine.ts";
import { runProcess } from "./process.ts";

const usage = `Usage: npm start

Runs database, worker, API and screens in one process and prints the address. While there is no admin it
also prints a link that makes the person who opens it the first one. Ctrl-C ends everything in order.
Configuration: see "Configuration" in README.md.
`;

await runProcess("start", usage, async (config, logger) => {
  const machine = await startMachine(config, logger);
  const { sql, clock } = machine.store;
  process.stdout.write(`Consignment Ledger is at ${machine.url}\n`);
  // Straight to the console: whoever reads the link can become admin, so it must not reach a log.
  const link = await createSetupLink(sql, clock, machine.url);
  if (link !== undefined) {
    process.stdout.write(`There is no admin yet. Within an hour, open ${link}\n`);
  }
  return machine;
});
