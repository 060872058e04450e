// A rush that runs while something happens to the processes, and ends when that is over.
import type { Sql } from "#db/connect.ts";
import { makeGround, makePeople } from "#testing/rush/ground.ts";
import type { RushAnswer } from "#testing/rush/judge.ts";
import { runRush, type RushOptions } from "#testing/rush/run.ts";

type Meanwhile = Pick<
  RushOptions,
  "urls" | "callers" | "seed" | "retryForMs" | "pauseMs" | "onAnswer"
>;

/** Returns the result of `happen`, and all answers of the rush. */
export async function rushDuring<Result>(
  sql: Sql,
  options: Meanwhile,
  happen: () => Promise<Result>,
): Promise<{ readonly happened: Result; readonly answers: RushAnswer[] }> {
  const people = await makePeople(sql, 6);
  // Tokens are made before anything happens and outlive the rush, so that callers do not depend on the database.
  await Promise.all([null, ...people.consignors].map((uid) => people.tokenOf(uid)));
  const ground = await makeGround(options.urls[0] ?? "", people, 2, 60);
  let isOver = false;
  const rush = runRush({
    ...options,
    people,
    ground,
    commands: Number.POSITIVE_INFINITY,
    isOver: () => isOver,
  });
  const happening = happen().finally(() => {
    isOver = true;
  });
  const [happened, answers] = await Promise.all([happening, rush]);
  return { happened, answers };
}
