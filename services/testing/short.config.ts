// How `npm test` runs: as vitest.config.ts, without the long tests.
import { defineConfig } from "vitest/config";
import { longTests } from "./long-tests.ts";
import whole from "./vitest.config.ts";

const { projects = [] } = whole.test ?? {};

export default defineConfig({
  ...whole,
  test: {
    ...whole.test,
    projects: projects.map((project) =>
      typeof project === "object" && "test" in project
        ? {
            ...project,
            test: {
              ...project.test,
              exclude: [...(project.test?.exclude ?? []), ...longTests],
            },
          }
        : project,
    ),
  },
});
