// `npm start`: the whole store on one machine, with an embedded database unless DATABASE_URL names one.
import { runProcess } from "#process/run-process.ts";

const usage = `Usage: npm start

Runs database, worker, API and screens in one process and prints the address. While there is no admin it
also prints a link that makes the person who opens it the first one. Ctrl-C ends everything in order.
Configuration: see "Configuration" in README.md.
`;

await runProcess("start", usage, async (config, logger, signal) => {
  // Loaded only now, so that --help and a wrong configuration are answered at once.
  const { startMachine } = await import("#process/machine.ts");
  const { printSetupLink } = await import("#process/setup-notice.ts");
  const machine = await startMachine(config, logger, { signal });
  process.stdout.write(`Consignment Ledger is at ${machine.url}\n`);
  await printSetupLink(machine.store, machine.url);
  return machine;
});
