// How the tests run: plain ones beside their source, and those that drive a real browser in a project of their own.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // Three on two cores: a browser and a database are waited for often enough to give a third one work.
    maxWorkers: 3,
    globalSetup: ["services/testing/global-setup.ts"],
    projects: [
      {
        extends: true,
        test: {
          name: "services",
          environment: "node",
          // No module holds state of its own, so that files may share them: loading them anew took a third of the time.
          isolate: false,
          include: ["{services,scripts,web}/**/*.test.{ts,tsx}"],
          exclude: ["**/*.browser.test.ts"],
          testTimeout: 15_000,
          hookTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          name: "browser",
          environment: "node",
          include: ["{services,web}/**/*.browser.test.ts"],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
