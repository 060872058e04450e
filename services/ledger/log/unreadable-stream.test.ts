// An event that cannot be read stops only the commands on its streams, and a repaired program takes them again.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defineEvent } from "#ledger/event.ts";
import type { LedgerWriter } from "#ledger/log/writer.ts";
import { openLedger } from "#ledger/log/writer.ts";
import type { JarShop } from "#testing/jar/jar-shop.ts";
import { openJarShop, under } from "#testing/jar/jar-shop.ts";
import { fillJar, jarEvents, jarFilled, jarStream, payOut } from "#testing/jar/jar.ts";

/** The next program: it folds every stream again, and expects a note in old events that one of them lacks. */
function programWith(upcast: (data: unknown) => unknown) {
  const second = defineEvent("JarFilled", 2, jarFilled.schema, { 1: upcast });
  return openLedger({
    sql: shop.openPool(),
    streams: new Map([["jar", { ...jarStream, stateVersion: 2 }]]),
    events: new Map([...jarEvents, [second.type, second]]),
    newId: () => crypto.randomUUID(),
  });
}

let shop: JarShop;
let writer: LedgerWriter;

beforeAll(async () => {
  shop = await openJarShop();
  for (const jar of ["good", "bad", "better"]) {
    const note = jar === "bad" ? {} : { note: "coins" };
    await shop.ledger.execute(fillJar, { jar, cents: 20, ...note }, under(`fill-${jar}`));
  }
  writer = programWith((data) => {
    if (Object(data).note === undefined) {
      throw new Error("it has no note");
    }
    return data;
  });
});

afterAll(async () => {
  await writer.close();
  await shop.close();
});

describe("while an event of a stream cannot be read", () => {
  test("commands that name the stream are refused, and others in the same batch are not", async () => {
    const fill = (jar: string) =>
      writer.execute(fillJar, { jar, cents: 5, note: "more" }, under(`more-${jar}`));
    const results = await Promise.allSettled([
      fill("good"),
      fill("bad"),
      writer.execute(payOut, { from: "better", to: "bad", cents: 1 }, under("pay")),
      fill("better"),
    ]);
    expect(results.map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "rejected",
      "fulfilled",
    ]);
    expect(results[1]).toMatchObject({
      reason: { name: "UnreadableStream", streamId: "jar-bad", position: 2 },
    });
    expect(results[0]).toMatchObject({ value: { kind: "accepted", answer: { cents: 25 } } });
  });

  test("the refusal is not kept: a repaired program takes the same request", async () => {
    const repaired = programWith((data) => data);
    const command = { jar: "bad", cents: 5, note: "more" };
    expect(await repaired.execute(fillJar, command, under("more-bad"))).toMatchObject({
      kind: "accepted",
      repeated: false,
      answer: { cents: 25 },
    });
    await repaired.close();
  });
});
