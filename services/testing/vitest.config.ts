// How the tests run: the server's and the web's beside their source, and those that drive a real browser.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  test: {
    // Three on two cores: a browser and a database are waited for often enough to give a third one work.
    maxWorkers: 3,
    // Times that only a fault exceeds: each is enough for a machine at a quarter of its speed.
    expect: { poll: { timeout: 30_000 } },
    globalSetup: ["services/testing/database/global-setup.ts"],
    projects: [
      {
        extends: true,
        test: {
          name: "services",
          environment: "node",
          // The server's modules keep nothing from one test to the next, so files share them: loading them anew for
          // each took a third of the time.
          isolate: false,
          include: ["{services,scripts}/**/*.test.ts"],
          exclude: ["**/*.browser.test.ts"],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: "web",
          environment: "node",
          // The browser's modules do: they are one tab's.
          include: ["web/**/*.test.{ts,tsx}"],
          exclude: ["**/*.browser.test.ts"],
          testTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: "browser",
          environment: "node",
          globalSetup: ["services/testing/browser/browser-setup.ts"],
          // As above: the server runs in the test's own process.
          isolate: false,
          include: ["web/journeys/*.browser.test.ts"],
          testTimeout: 240_000,
          hookTimeout: 240_000,
        },
      },
    ],
  },
});
