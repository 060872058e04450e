// The order of the test files: the slow ones first, so that none of them is left running alone at the end.
import { relative } from "node:path";
import type { TestSpecification } from "vitest/node";
import { BaseSequencer } from "vitest/node";

/** Short files that take long: on a fresh clone, vitest knows only their sizes. */
const slow: ReadonlySet<string> = new Set([
  "services/start.test.ts",
  "scripts/books.test.ts",
  "services/concurrency.test.ts",
  "scripts/verify.test.ts",
  "services/crash.test.ts",
  "services/standby.test.ts",
  "services/book-views.test.ts",
  "services/features/accounts/statement/statement-load.test.ts",
  "services/ledger/log/writer-outage.test.ts",
  "services/db/embedded.test.ts",
  "web/journeys/store-day.browser.test.ts",
  "web/journeys/held-rows.browser.test.ts",
]);

export default class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification) =>
      slow.has(relative(this.ctx.config.root, moduleId));
    // Projects stay together, because a worker loads its modules again for another project.
    const projects = [...new Set(sorted.map(({ project }) => project.name))];
    return projects.flatMap((name) => {
      const own = sorted.filter(({ project }) => project.name === name);
      return [...own.filter(isSlow), ...own.filter((file) => !isSlow(file))];
    });
  }
}
