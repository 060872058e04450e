// How the tests run: plain ones beside their source, and those that drive a real browser in a project of their own.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // By itself it leaves one core alone, which on two cores is half of them.
    maxWorkers: 2,
    globalSetup: ["services/testing/global-setup.ts"],
    projects: [
      {
        extends: true,
        test: {
          name: "services",
          environment: "node",
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
