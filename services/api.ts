// `npm run start:api`: the API alone, for more than one machine. Workers run as separate processes.
import { requireExternalDatabase } from "#config";
import { runProcess } from "#process/run-process.ts";

const usage = `Usage: npm run start:api

Serves API and screens from the database that DATABASE_URL names. Run as many as you want, on different
PORTs or machines, and at least one \`npm run start:worker\`. While there is no admin it prints a link that makes
the person who opens it the first one; with several of these processes, the link printed last.
`;

await runProcess("api", usage, async (config, logger, signal) => {
  requireExternalDatabase(config);
  // Loaded only now, so that --help and a wrong configuration are answered at once.
  const { openStore } = await import("#process/open-store.ts");
  const { startApi } = await import("#process/start-api.ts");
  const { readWebBuild } = await import("#http/web-build.ts");
  const { webBuildFolder } = await import("#process/machine.ts");
  const { printSetupLink } = await import("#process/setup-notice.ts");
  const store = await openStore({ config, logger, name: "api", works: false, signal });
  try {
    const api = await startApi(store, await readWebBuild(webBuildFolder));
    logger.info({ url: api.server.url }, "listening");
    await printSetupLink(store, config.publicUrl ?? api.server.url);
    return {
      lost: store.lost,
      close: async () => {
        await api.close();
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
});
