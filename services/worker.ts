// `npm run start:worker`: updates the read tables, for more than one machine. It serves no requests.
import { requireExternalDatabase } from "#config";
import { runProcess } from "#process/run-process.ts";

const usage = `Usage: npm run start:worker

Feeds the read tables of the database that DATABASE_URL names from its log. One is enough; more take over
from each other.
`;

await runProcess("worker", usage, async (config, logger, signal) => {
  requireExternalDatabase(config);
  // Loaded only now, so that --help and a wrong configuration are answered at once.
  const { openStore } = await import("#process/open-store.ts");
  const { startWorker } = await import("#process/start-worker.ts");
  const store = await openStore({ config, logger, name: "worker", works: true, signal });
  try {
    const worker = await startWorker(store);
    logger.info("working");
    return {
      lost: store.lost,
      close: async () => {
        await worker.close();
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
});
