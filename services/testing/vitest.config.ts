// How the tests run: the server's and the web's next to their source, and those with a real browser. `npm run test:whole`
// and single files use this; `npm test` uses short.config.ts, which leaves out the long ones.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import SlowFilesFirst from "./slow-files-first.ts";

export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  test: {
    // Three on two cores: a test often waits for a browser, a database or a clock, which leaves time for others. All
    // files took 380 and 432 s with three, 460 s with two and 430 s with four.
    maxWorkers: 3,
    // With two cores, V8's own threads for collecting garbage only take time from the other tests. Tests make much
    // that is soon garbage: with 64 MB for it instead of 16, 28 files took 33.5 s of CPU instead of 36.1 s.
    execArgv: ["--single-threaded-gc", "--min-semi-space-size=64", "--max-semi-space-size=64"],
    // Only a fault exceeds these times: they are enough for a machine at a quarter of its usual speed.
    expect: { poll: { timeout: 30_000 } },
    globalSetup: ["services/testing/database/global-setup.ts"],
    sequence: { sequencer: SlowFilesFirst },
    projects: [
      {
        extends: true,
        test: {
          name: "services",
          environment: "node",
          // The server's modules keep no state between tests, so files share them: loading them again for each file took
          // a third of the time.
          isolate: false,
          // Node itself loads these modules, as it does in the service: passing each through Vite took a tenth of the CPU.
          experimental: { viteModuleRunner: false, nodeLoader: false },
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
          // As above. The few modules that keep state belong to a tab, and these tests look at their pure parts.
          isolate: false,
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
          // As above.
          experimental: { viteModuleRunner: false, nodeLoader: false },
          globalSetup: ["services/testing/browser/browser-setup.ts"],
          setupFiles: ["services/testing/browser/show-failure.ts"],
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
