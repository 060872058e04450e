// The worker of a deadline: what finds the rows that are due and sends their commands, its start, and its spec under a moved clock.
import type { DeadlineNames } from "./deadline.ts";
import { column, DUE } from "./deadline-projection.ts";
import { kebab, pascal, withArticle } from "./names.ts";

export function sweepFile(names: DeadlineNames): string {
  const { feature, decider, entry, list, table, fields, commands } = names;
  const columns = fields.map(({ name }) =>
    column(name) === name ? name : `${column(name)} as "${name}"`,
  );
  const said = fields.map(({ name }) => name).join(", ");
  return `// Ends ${list} that are over: finds them in the read table, and sends the command of each under a key that names its last change.
import { createHash } from "node:crypto";
import type { Sql } from "#db/connect.ts";
import { ${decider} } from "#features/${feature}/decider-${commands}.ts";
import { ${list}Table } from "#features/${feature}/projection-${kebab(table)}.ts";
import type { Ledger } from "#ledger/log/ledger.ts";

export type ${entry}SweepDeps = {
  /** The primary. */
  readonly sql: Sql;
  readonly ledger: Ledger;
  readonly clock: () => Date;
  /** One that fails stops no other: the next sweep tries it again. */
  readonly onError: (itemId: string, error: unknown) => void;
};

/** So many are ended at once. */
const AT_ONCE = 256;

type Due = {
  readonly itemId: string;
${fields.map(({ name, type }) => `  readonly ${name}: ${type};\n`).join("")}  readonly dueAt: Date;
  readonly position: number;
};

/** Ends what is over by the clock, and answers how many that were. Two workers may sweep at once: each ends once. */
export async function sweep${pascal(list)}(deps: ${entry}SweepDeps): Promise<number> {
  const now = deps.clock();
  let ended = 0;
  let last: Due | undefined;
  do {
    const due = await findDue(deps.sql, now, last);
    const done = await Promise.all(due.map((one) => endOne(deps, one, now.toISOString())));
    ended += done.filter(Boolean).length;
    last = due.length === AT_ONCE ? due.at(-1) : undefined;
  } while (last !== undefined);
  return ended;
}

/** The next ones after \`last\`, in a fixed order: what was done shows in the table only a moment later. */
function findDue(sql: Sql, now: Date, last: Due | undefined): Promise<readonly Due[]> {
  const behind =
    last === undefined ? sql\`\` : sql\`and (${DUE}, position) > (\${last.dueAt}, \${last.position})\`;
  return sql<Due[]>\`
    select item_id as "itemId", ${columns.join(", ")}, ${DUE} as "dueAt", position
    from \${sql(\`read.\${${list}Table.name}\`)}
    where units > 0 and ${DUE} <= \${now} \${behind}
    order by ${DUE}, position limit \${AT_ONCE}\`;
}

/** The item as the log has it decides, not the read table. */
async function endOne(
  { ledger, onError }: ${entry}SweepDeps,
  { itemId, ${said}, position }: Due,
  happenedAt: string,
): Promise<boolean> {
  // Where the table was behind, the answer is no: the row's next change has a key of its own.
  const key = \`end:\${itemId}:\${position}\`;
  try {
    const outcome = await ledger.execute(
      ${decider},
      { itemId, ${said}, happenedAt },
      {
        actor: "system:${feature}",
        // Not the store's scope, where an admin's key could collide.
        scope: "system:${feature}",
        key,
        // The time of the command is not part of the request, so a later try is the same request.
        requestHash: createHash("sha256").update(key).digest("hex"),
      },
    );
    return outcome.kind === "accepted" && !outcome.repeated && outcome.answer.happened;
  } catch (error) {
    onError(itemId, error);
    return false;
  }
}
`;
}

const singular = ({ file }: DeadlineNames): string => withArticle(file.replaceAll("-", " "));

export function endsFile(names: DeadlineNames): string {
  const { feature, entry, file, list } = names;
  const many = pascal(list);
  return `// Runs in the worker: brings units back when the time has come until which they are set aside.
import type { Logger } from "pino";
import type { ${entry}SweepDeps } from "#features/${feature}/${file}-sweep.ts";
import { sweep${many} } from "#features/${feature}/${file}-sweep.ts";
import type { Repeating } from "#jobs/repeat.ts";
import { repeat } from "#jobs/repeat.ts";
import { retried } from "#jobs/retried.ts";

export type ${entry}EndDeps = Omit<${entry}SweepDeps, "onError"> & { readonly logger: Logger };

const EVERY_MS = 60_000;

/** One sweep. */
export function end${many}({ logger, ...deps }: ${entry}EndDeps): Promise<number> {
  return sweep${many}({
    ...deps,
    onError: (itemId, error) =>
      logger.error({ err: error, itemId }, "${singular(names)} could not be ended; it is retried in a minute"),
  });
}

/** Ends them now and once a minute. A failure is logged and retried the next time. */
export function startEnding${many}(deps: ${entry}EndDeps): Repeating {
  return repeat(
    EVERY_MS,
    retried(deps.logger, "${list} that are over could not be read", () => end${many}(deps)),
  );
}
`;
}

export function endsSpecFile(names: DeadlineNames): string {
  const { file, list, fields, time, begin, end } = names;
  const given = (person: string, minutes: number): string =>
    fields
      .map(({ name, isPerson, sample }) =>
        name === time
          ? `${name}: inMinutes(${minutes})`
          : `${name}: ${isPerson ? `desk.${person}.uid` : JSON.stringify(sample)}`,
      )
      .join(", ");
  return `// Units that are set aside, under a moved clock: they come back once, as many as are left, on however many sweeps.
import { pino } from "pino";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ItemDesk } from "#testing/shop/item-desk.ts";
import { openItemDesk } from "#testing/shop/item-desk.ts";
import { end${pascal(list)} } from "./${file}-ends.ts";

let desk: ItemDesk;

beforeAll(async () => {
  desk = await openItemDesk();
});

afterAll(() => desk.shop.close());

async function sweep(): Promise<number> {
  const { deps, runner, database } = desk.shop;
  await runner.catchUp();
  const logger = pino({ level: "silent" });
  return end${pascal(list)}({ ledger: deps.ledger, clock: deps.clock, sql: database.sql, logger });
}

async function post(path: string, body: object): Promise<void> {
  const answer = await desk.shop.call("POST", \`/api\${path}\`, { as: desk.admin, body });
  expect(answer).toMatchObject({ status: 200 });
}

const inMinutes = (minutes: number): string =>
  new Date(desk.shop.deps.clock().getTime() + minutes * 60_000).toISOString();

async function unitsOf(id: string): Promise<number | undefined> {
  await desk.shop.runner.catchUp();
  const [row] = await desk.shop.database.sql<{ quantity: number }[]>\`
    select quantity from read.inventory_items where id = \${id}\`;
  return row?.quantity;
}

it("brings units back once when the time has come, and no more than are left", async () => {
  const { id: itemId } = await desk.newItem(null);
  const soon = { itemId, units: 2, ${given("avery", 10)} };
  await post("${begin.path}", soon);
  await post("${begin.path}", { itemId, units: 1, ${given("blake", 90)} });
  await post("${end.path}", { ...soon, units: 1 });
  expect(await sweep()).toBe(0);
  expect(await unitsOf(itemId)).toBe(3);

  desk.shop.advance(30 * 60_000);
  const counts = await Promise.all([sweep(), sweep()]);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1);
  expect(await sweep()).toBe(0);
  expect(await unitsOf(itemId)).toBe(4);
});
`;
}
