// A small step as one statement: its session keeps temporary functions that contain the step's statements, and their plans.
import { createHash } from "node:crypto";
import type { ReservedSql, Sql } from "postgres";
import { passCrashPoint } from "#ledger/crash-point.ts";
import { textArray } from "#ledger/log/encode.ts";
import { codeOf } from "#ledger/log/failure.ts";
import type { StoredProjection } from "#ledger/projection/define.ts";
import { renderSql, renderStep } from "#ledger/projection/render.ts";
import { LITTLE_STEP } from "#ledger/projection/round.ts";
import type { OlderEvents } from "#ledger/projection/sources.ts";
import { PLAIN_READING } from "#ledger/projection/sources.ts";
import type { Feed, Goal } from "#ledger/projection/step.ts";
import {
  checkpointsOf,
  lowestPosition,
  SMALL_STEP_PLANS,
  settingsSql,
  stepTogether,
  touchedFeedsSql,
} from "#ledger/projection/step.ts";

/** A function in `pg_temp`. Its name follows from its text, so that a changed one is another function. */
type StepFunction = { readonly name: string; readonly create: string };

/** All that a step needs: one function for each feed, and the one that calls them. */
type StepFunctions = { readonly all: readonly StepFunction[]; readonly together: StepFunction };

function functionOf(parameters: string, body: string): StepFunction {
  const hash = createHash("sha256").update(body).digest("hex");
  const name = `step_${hash.slice(0, 20)}`;
  return {
    name,
    // A column may have the name of one of PL/pgSQL's own variables, such as `found`.
    create: `create function pg_temp.${name}(${parameters}) returns void language plpgsql as $ledger_step$
      #variable_conflict use_column
      ${body}
      $ledger_step$`,
  };
}

/** PL/pgSQL: runs the statement if the range has an event of these types, and the other one if not. */
function ifAny(types: readonly string[], statement: string, otherwise?: string): string {
  const rest = otherwise === undefined ? "" : `else ${otherwise}\n;`;
  return `if $3 && '${textArray(types)}'::text[] then ${statement}\n; ${rest} end if`;
}

/** By definition, because rendering all statements takes longer than sending them. */
const feedFunctions = new WeakMap<StoredProjection, Map<string, StepFunction>>();

/** `$1` and `$2` in the statements are the function's parameters; `$3` are the types of the range's events. */
function functionOfFeed({ projection, generation }: Feed, older: OlderEvents): StepFunction {
  const known = feedFunctions.get(projection) ?? new Map<string, StepFunction>();
  feedFunctions.set(projection, known);
  const key = `${generation.generation} ${JSON.stringify([...older.types])}`;
  const found = known.get(key);
  if (found !== undefined) {
    return found;
  }
  const reading = { ...PLAIN_READING, older };
  const { onlyFor, shortcuts } = "streamsOfKey" in projection ? projection : {};
  const statements = renderStep(projection, generation.generation, "all", reading).map(
    (statement, index) => {
      const short = shortcuts?.[index];
      const types = onlyFor?.[index];
      const whole = short
        ? ifAny(
            short.without,
            statement,
            renderSql(short.statement, generation.generation, "all", reading),
          )
        : statement;
      return `${types ? ifAny(types, whole) : whole}\n;`;
    },
  );
  const made = functionOf("bigint, bigint, text[]", `begin ${statements.join("\n")} end`);
  known.set(key, made);
  return made;
}

/** Moves the checkpoints, if they are where they are expected, and runs the functions of the touched feeds. */
function functionOfAll(feeds: readonly Feed[], own: readonly StepFunction[]): StepFunction {
  const calls = own.map(
    ({ name }, index) =>
      `if ${index} = any (touched_feeds) then perform pg_temp.${name}($1, $2, event_types); end if;`,
  );
  return functionOf(
    "bigint, bigint, text, text[], integer[]",
    `declare
      touched_feeds integer[];
      event_types text[];
    begin
      perform set_config('synchronous_commit', $3, true), ${settingsSql(SMALL_STEP_PLANS)};
      perform read.move_checkpoints($4, $5, $1, $2);
      touched_feeds := array(${touchedFeedsSql(feeds)});
      event_types := array(
        select distinct e.type from log.events e where e.position > $1 and e.position <= $2);
      ${calls.join("\n")}
    end`,
  );
}

/** The last sets of feeds: the shown tables are nearly always the same ones. */
const knownSets = new Map<string, StepFunction>();
const SETS_KNOWN = 20;

function functionsOf(feeds: readonly Feed[], older: OlderEvents): StepFunctions {
  const own = feeds.map((feed) => functionOfFeed(feed, older));
  const key = own.map(({ name }) => name).join(" ");
  const together = knownSets.get(key) ?? functionOfAll(feeds, own);
  if (knownSets.size >= SETS_KNOWN) {
    knownSets.clear();
  }
  knownSets.set(key, together);
  return { all: [...own, together], together };
}

/** True if the session does not have the function: it is new, or the feeds have changed. */
function isMissing(error: unknown, { name }: StepFunction): boolean {
  const text = error instanceof Error ? error.message : "";
  // The second one: the session has no temporary schema yet.
  return (
    (codeOf(error) === "42883" && text.includes(name)) ||
    (codeOf(error) === "3F000" && text.includes("pg_temp"))
  );
}

const NO_RIGHT = "42501";

/** Makes the functions that the session lacks; false if its role may not make any. */
async function makeMissing(session: ReservedSql, { all }: StepFunctions): Promise<boolean> {
  const rows = await session<{ name: string }[]>`
    select proname as name from pg_proc where pronamespace = pg_my_temp_schema()`;
  const existing = new Set(rows.map(({ name }) => name));
  const missing = all.filter(({ name }) => !existing.has(name));
  try {
    await session.unsafe(missing.map(({ create }) => create).join(";\n"));
    return true;
  } catch (error) {
    if (codeOf(error) === NO_RIGHT) {
      return false;
    }
    throw error;
  }
}

/** Pools whose role may not make temporary objects in this database. */
const refused = new WeakSet<Sql>();

/**
 * Whether a step can be one statement: it is small, nothing is held back, no event was refused, and the role may make
 * temporary functions, which PostgreSQL allows everybody unless somebody took that right away.
 */
export function isOneStatement(
  sql: Sql,
  feeds: readonly Feed[],
  { through, older }: Goal,
): boolean {
  return (
    !refused.has(sql) &&
    feeds.length > 0 &&
    through - lowestPosition(feeds) <= LITTLE_STEP &&
    older.refused.length === 0 &&
    feeds.every(({ quarantined }) => quarantined.length === 0)
  );
}

/**
 * The same as `stepTogether`, for a step that can be one statement: PostgreSQL runs it without waiting for this process
 * in between. While sales keep the machine busy, each such wait takes milliseconds.
 */
export async function stepInOneStatement(
  sql: Sql,
  feeds: readonly Feed[],
  goal: Goal,
): Promise<void> {
  const { through, older, commit } = goal;
  const functions = functionsOf(feeds, older);
  const session = await sql.reserve();
  const run = async () => {
    const running = session
      .unsafe(
        `select pg_temp.${functions.together.name}($1::bigint, $2::bigint, $3::text, $4::text[], $5::integer[])`,
        [String(lowestPosition(feeds)), String(through), commit, ...checkpointsOf(feeds)],
        { prepare: true },
      )
      .execute();
    // By then it has been sent.
    setImmediate(passCrashPoint, "projection:in-step");
    await running;
  };
  let hasFunctions = true;
  try {
    await run().catch(async (error: unknown) => {
      if (!isMissing(error, functions.together)) {
        throw error;
      }
      hasFunctions = await makeMissing(session, functions);
      if (hasFunctions) {
        await run();
      }
    });
  } finally {
    session.release();
  }
  if (!hasFunctions) {
    refused.add(sql);
    await stepTogether(sql, feeds, goal);
  }
}
