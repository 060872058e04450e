// Whether the stores of tests that want a row in each read table have streams of a category: other tables show it.
import { withArticle } from "./names.ts";
import type { Tree } from "./tree.ts";

const DAYS = "services/older-versions.test.ts";

/** What is left to do so that a new table has rows there. At first a row is a stream. */
export function rowsOfTests(tree: Tree, category: string): readonly string[] {
  const one = `${withArticle(category)}'s stream`;
  const others = /const others = new Set\(\[([^\]]*)\]/u.exec(tree.read(DAYS))?.[1] ?? "";
  const known = keyedBy(tree, category);
  const isFilled = known.length > 0;
  const isInDays = known.some((name) => !others.includes(`"${name}"`));
  return [
    `scripts/tamper/fill.ts and beforeAll of services/proof/prove-books.test.ts, where each table must have a row: ${
      isFilled
        ? `both have ${one}; add a call to each if that makes no row of yours`
        : `a call that makes one in each, unless there is ${one}`
    }`,
    ...(isInDays
      ? [`${DAYS}: nothing, its days have ${one}`]
      : [
          `${DAYS}: the projection's name in \`others\`, ${isFilled ? `because no sale of an item has ${one}` : `unless a sale of an item has ${one}`}`,
        ]),
  ];
}

/** The projections whose row key is the category's id. Each of them has rows in the stores of tests already. */
function keyedBy(tree: Tree, category: string): readonly string[] {
  return tree
    .projectionFiles()
    .flatMap((path) => [
      ...tree
        .read(path)
        .matchAll(/name: "([\w-]+)",\s*version: [^]*?streamsOfKey:([^;]*?)(?:\n {2}\w|\n\};)/gu),
    ])
    .filter(([, , streams = ""]) => streams.includes(`log.${category}_stream(`))
    .map(([, name = ""]) => name);
}
