// The command of a deadline, which a worker sends, and its specs: both go to the files of the command that people send.
import type { DeadlineNames } from "./deadline.ts";

export function deadlineCommand(names: DeadlineNames): string {
  const { feature, command, decider, list, fields, time, holding, end } = names;
  const said = fields.map(({ name }) => name).join(", ");
  const matches = fields.map(({ name }) => `one.${name} === ${name}`).join(" && ");
  return `import type { Decider } from "#ledger/decider.ts";
import { accept } from "#ledger/decider.ts";
import { emit } from "#ledger/event.ts";
import { moveUnits } from "#ledger/posting.ts";
import { ${end.type} } from "#features/${feature}/events.ts";
import { unitsIn } from "#features/${feature}/set-aside.ts";
import { itemHolding, itemStream, itemStreamId, ${holding} } from "#features/${feature}/streams.ts";

export type ${command} = {
  readonly itemId: string;
${fields.map(({ name, type }) => `  readonly ${name}: ${type};\n`).join("")}  readonly happenedAt: string;
};

/** Whether units came back: not if there are none left, and not before the time. The worker sends it; it rejects nothing. */
export const ${decider}: Decider<${command}, { readonly happened: boolean }> = {
  type: "${command}",
  streams: ({ itemId }) => [itemStreamId(itemId)],
  decide: ({ itemId, ${said}, happenedAt }, states) => {
    const { ownerUid, ${list} } = states.get(itemStream, itemStreamId(itemId)).state;
    const units = unitsIn(${list}.filter((one) => ${matches}));
    if (units === 0 || Date.parse(${time}) > Date.parse(happenedAt)) {
      return accept([], { happened: false });
    }
    const event = emit(
      ${end.type},
      { itemId, ownerUid, units, ${said} },
      {
        streams: [itemStreamId(itemId)],
        movements: moveUnits(${holding}.of(itemId), itemHolding.of(itemId), units),
        happenedAt,
      },
    );
    return accept([event], { happened: true });
  },
};
`;
}

/** `nth` is its number in the file: different commands are about different things. */
export function deadlineSpecs(names: DeadlineNames, nth: number): string {
  const { feature, command, decider, fields, time, holding, begin, end, commands } = names;
  const samples = fields.map(({ name, sample }) => `${name}: ${JSON.stringify(sample)}`);
  return `import { describe, expect, it } from "vitest";
import { itemAdded } from "#features/inventory/decider.ts";
import { ${begin.decider}, ${end.decider}, ${decider} } from "#features/${feature}/decider-${commands}.ts";
import { itemHolding, ${holding} } from "#features/${feature}/streams.ts";
import type { MemoryBooks } from "#testing/shop/memory-books.ts";
import { memoryBooks } from "#testing/shop/memory-books.ts";
import { detailsOf } from "#testing/shop/stock-room.ts";

describe("${command}", () => {
  const itemId = "00000000-0000-4000-8000-00000000000${nth}";
  const happenedAt = "2024-05-31T12:00:00.000Z";
  const early = { itemId, ${samples.join(", ")}, happenedAt };
  const due = { ...early, happenedAt: early.${time} };
  const nothing = { kind: "accepted", answer: { happened: false }, added: [] };

  /** Three of five units are set aside. */
  function booksBefore(): MemoryBooks {
    const books = memoryBooks();
    books.given(itemAdded({ itemId, ownerUid: null, details: detailsOf("B-${nth}"), units: 5, source: "manual", fromItemId: null, happenedAt }));
    books.when(${begin.decider}, { ...early, units: 3 });
    return books;
  }

  it("brings back what is left when the time has come, once", () => {
    const books = booksBefore();
    books.when(${end.decider}, { ...early, units: 1 });
    const movements = [{ from: ${holding}.of(itemId), to: itemHolding.of(itemId), units: 2 }];
    expect(books.when(${decider}, due)).toMatchObject({
      answer: { happened: true },
      added: [{ type: "${end.type}", data: { units: 2, ${time}: early.${time} }, movements }],
    });
    expect(books.when(${decider}, due)).toMatchObject(nothing);
  });

  it("does nothing before the time, or about what nobody set aside", () => {
    expect(booksBefore().when(${decider}, early)).toMatchObject(nothing);
    expect(memoryBooks().when(${decider}, due)).toMatchObject(nothing);
  });
});
`;
}
