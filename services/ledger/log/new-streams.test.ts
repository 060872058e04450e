// Streams that were made for their command are not looked up, and nothing depends on that being true.
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect } from "#db/connect.ts";
import type { Decider } from "#ledger/decider.ts";
import { newTimeOrderedId } from "#ledger/log/time-ordered-id.ts";
import { openLedger } from "#ledger/log/writer.ts";
import type { JarShop } from "#testing/jar/jar-shop.ts";
import { openJarShop, under } from "#testing/jar/jar-shop.ts";
import type { FillJar } from "#testing/jar/jar.ts";
import { fillJar, jarEvents, jarStreams } from "#testing/jar/jar.ts";

const fillNew: Decider<FillJar, { cents: number }> = {
  ...fillJar,
  newStreams: ({ jar }) => [`jar-${jar}`],
};

let shop: JarShop;

beforeAll(async () => {
  shop = await openJarShop();
});

afterAll(() => shop.close());

/** A writer of another process, which has seen none of the shop's streams, and its tries that failed. */
async function openWriter(parts: AsyncDisposableStack) {
  const sql = connect(shop.database.appUrl, { applicationName: "writer", maxConnections: 1 });
  parts.defer(() => sql.end({ timeout: 5 }));
  const writer = openLedger({
    sql,
    streams: jarStreams,
    events: jarEvents,
    newId: newTimeOrderedId,
  });
  parts.defer(writer.close);
  const tries = { failed: 0 };
  writer.watch({ onBatch: () => undefined, onConflict: () => void (tries.failed += 1) });
  return { writer, tries };
}

test("a new stream is taken as absent", async () => {
  await using parts = new AsyncDisposableStack();
  const { writer, tries } = await openWriter(parts);
  const outcome = await writer.execute(fillNew, { jar: "made", cents: 20 }, under("made"));
  expect(outcome).toMatchObject({ kind: "accepted", answer: { cents: 20 } });
  expect(tries).toEqual({ failed: 0 });
});

test("one that is there after all is looked up in the second try", async () => {
  await using parts = new AsyncDisposableStack();
  const { writer, tries } = await openWriter(parts);
  await shop.ledger.execute(fillJar, { jar: "taken", cents: 30 }, under("taken"));
  const outcome = await writer.execute(fillNew, { jar: "taken", cents: 12 }, under("taken again"));
  expect(outcome).toMatchObject({ kind: "accepted", answer: { cents: 42 } });
  expect(tries).toEqual({ failed: 1 });
});

test("two commands of one batch that made the same stream are decided one after the other", async () => {
  await using parts = new AsyncDisposableStack();
  const { writer, tries } = await openWriter(parts);
  const fill = (cents: number) =>
    writer.execute(fillNew, { jar: "same", cents }, under(`same ${cents}`));
  expect(await Promise.all([fill(5), fill(7)])).toMatchObject([
    { answer: { cents: 5 } },
    { answer: { cents: 12 } },
  ]);
  expect(tries).toEqual({ failed: 0 });
});
