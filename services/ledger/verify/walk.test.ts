// The walk over the log goes on from one snapshot to the next, and misses nothing that was added in between.
import { afterEach, beforeEach, expect, it } from "vitest";
import { eventRulesOf } from "#ledger/verify/event-rules.ts";
import { collectFindings } from "#ledger/verify/findings.ts";
import { checkStates } from "#ledger/verify/states.ts";
import { streamRulesOf } from "#ledger/verify/stream-rules.ts";
import { startWalk } from "#ledger/verify/walk.ts";
import type { JarShop } from "#testing/jar/jar-shop.ts";
import { openJarShop, under } from "#testing/jar/jar-shop.ts";
import { fillJar, jarEvents, jarStreams } from "#testing/jar/jar.ts";

let shop: JarShop;

beforeEach(async () => {
  shop = await openJarShop();
});

afterEach(() => shop.close());

const fill = (jar: string, key: string) =>
  shop.ledger.execute(fillJar, { jar, cents: 5 }, under(key));

it("walks what is added meanwhile in the snapshot in which states are compared", async () => {
  const { sql } = shop.database;
  await fill("t1", "a");
  await fill("t2", "b");
  const findings = collectFindings(undefined);
  const walk = startWalk(
    {
      events: jarEvents,
      streams: jarStreams,
      rules: { ...eventRulesOf([]), ...streamRulesOf([]) },
      headPosition: 2,
    },
    findings,
  );
  const next = (until: number) =>
    sql.begin("isolation level repeatable read read only", (snapshot) =>
      walk.next(snapshot, until),
    );
  expect(await next(1)).toBe(true);
  expect(await next(2)).toBe(true);
  expect(await next(2)).toBe(false);
  await fill("t1", "c");
  await fill("t3", "d");
  await sql.begin("isolation level repeatable read read only", async (snapshot) => {
    expect(await walk.next(snapshot, Number.MAX_SAFE_INTEGER)).toBe(true);
    expect(await walk.next(snapshot, Number.MAX_SAFE_INTEGER)).toBe(false);
    const { events, folded, answers } = walk.end();
    expect({ events, chained: answers.chained }).toEqual({ events: 4, chained: 4 });
    await checkStates(snapshot, jarStreams, folded, findings);
  });
  expect(findings.listed()).toEqual([]);
});
