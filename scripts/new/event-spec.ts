// The specs of a new event: what its command decides, in memory and in a real log. One of them fails until it is replaced.
import { commandNames, isOfItem, recipients } from "./event-files.ts";
import type { EventNames } from "./event-files.ts";
import type { Field } from "./fields.ts";
import { withArticle } from "./names.ts";

/** What all specs of the file share: one log. */
export function specHead({ file }: EventNames): string {
  return `// Specs of decider-${file}.ts: given what happened, when it is asked for, then what.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Decider } from "#ledger/decider.ts";
import { accept } from "#ledger/decider.ts";
import type { NewEvent } from "#ledger/event.ts";
import type { TestApp } from "#testing/service/test-app.ts";
import { openTestApp } from "#testing/service/test-app.ts";

let shop: TestApp;

beforeAll(async () => {
  shop = await openTestApp({ projections: [] });
});

afterAll(() => shop.close());

const executed = <Command, Answer>(
  decider: Decider<Command, Answer>,
  command: Command,
  key: string,
) =>
  shop.deps.ledger.execute(decider, command, {
    actor: "system:test",
    scope: "store",
    key: \`\${decider.type} \${key}\`,
    requestHash: "00",
  });

/** Writes down what happened before. */
const happening: Decider<readonly NewEvent[], null> = {
  type: "Happen",
  streams: (events) => [...new Set(events.flatMap(({ streams }) => streams))],
  decide: (events) => accept(events, null),
};
`;
}

/** The specs of one command. `nth` is its number in the file: different commands are about different things. */
export function commandSpecs(names: EventNames, nth: number): string {
  const { type, command, feature, stream, decider, moves, before, file } = names;
  const { idName, idOf, category } = stream;
  const id = stream.sampleId.replace(/1$/u, String(nth));
  const samples = names.fields.map(({ name, sample }) => `${name}: ${JSON.stringify(sample)}`);
  const more =
    before?.more?.map(({ name, sample }) => `${name}: ${JSON.stringify(sample)}`) ?? null;
  const ofItem = isOfItem(names);
  const [from, to] =
    moves?.way === "to" ? ["itemHolding", moves.holding] : [moves?.holding, "itemHolding"];
  const fromStreams = moves === null ? [] : ["itemHolding", moves.holding];
  const ids = ofItem ? fromStreams : [idOf];
  const values = names.fields.map(({ name }) => name);
  return `
${ids.length === 0 ? "" : `import { ${ids.join(", ")} } from "#features/${feature}/streams.ts";\n`}${ofItem ? "" : `import { emit } from "#ledger/event.ts";\nimport { ${type} } from "#features/${feature}/events.ts";\n`}${ofItem ? 'import { itemAdded } from "#features/inventory/decider.ts";\nimport { detailsOf } from "#testing/shop/stock-room.ts";\n' : ""}import { ${[decider, ...(more === null ? [] : [before?.decider])].join(", ")} } from "#features/${feature}/decider-${file}.ts";
${moves?.way === "to" && names.setAside !== null ? 'import { archiveItem, removeUnits } from "#features/inventory/decider-archive.ts";\n' : ""}${recipients(names).length === 0 ? "" : 'import { deactivateUser } from "#features/users/decider-deactivate.ts";\n'}import type { MemoryBooks } from "#testing/shop/memory-books.ts";
import { memoryBooks } from "#testing/shop/memory-books.ts";

describe("${command}", () => {
  const ${idName} = "${id}";
  const happenedAt = "2024-05-31T12:00:00.000Z";
  const command = { ${[idName, ...samples, "happenedAt"].join(", ")} };

  /** What there is before. */
  function booksBefore(): MemoryBooks {
    const books = memoryBooks();
    books.given(${given(names, nth)});
${more === null ? "" : `    books.when(${before?.decider}, { ${["...command", ...more, ...(moves === null ? [] : ["units: 5"])].join(", ")} });\n`}    return books;
  }
  const before = booksBefore().events;

  it("is one event, and the answer has the new version", () => {
    const { added, ...decision } = booksBefore().when(${decider}, command);
    const version = before.length + 1;
    expect(decision).toMatchObject({ kind: "accepted", answer: { ${idName}, version } });
${values.length === 0 ? "" : `    const { ${values.join(", ")} } = command;\n`}    const data = { ${[idName, ...values].join(", ")} };
    expect(added).toMatchObject([{ type: "${type}", data }]);
${
  moves === null
    ? ""
    : `    const moved = { from: ${from}.of(itemId), to: ${to}.of(itemId), units };
    expect(added).toMatchObject([{ movements: [moved] }]);
`
}  });

  it("is rejected for ${withArticle(category)} that is not there", () => {
    expect(memoryBooks().when(${decider}, command)).toMatchObject({
      status: 404,
      code: "${category}_not_found",
    });
  });

${recipients(names).map(goneSpec(names)).join("")}${asideSpec(names)}  it("posts, moves and rejects what the store wants", () => {
    expect.fail("Replace this spec: say what ${type} posts and moves, and when ${command} is rejected");
  });

  describe("in a real log", () => {
    beforeAll(() => executed(happening, before, "${command}"));

    const asked = (key: string) => executed(${decider}, command, key);

    it("happens once if it is repeated under its key, with the first answer", async () => {
      const first = await asked("one");
      expect(first).toMatchObject({ kind: "accepted", repeated: false });
      expect(await asked("one")).toEqual({ ...first, repeated: true });
    });

    it("happens once for each of several simultaneous calls, each with its own version", async () => {
      const outcomes = await Promise.all(["a", "b", "c", "d"].map(asked));
      const versions = outcomes.map((outcome) =>
        outcome.kind === "accepted" ? outcome.answer.version : 0,
      );
      expect(versions.toSorted((one, other) => one - other)).toEqual(
        [2, 3, 4, 5].map((more) => before.length + more),
      );
    });
  });
});
`;
}

/** Goods and money go to nobody whose account was deleted. */
const goneSpec =
  ({ decider }: EventNames) =>
  ({ name }: Field): string =>
    `  it("is rejected if the account of \`${name}\` was deleted", () => {
    const books = booksBefore();
    const gone = { uid: command.${name}, itemIds: [], noteId: null, happenedAt };
    expect(books.when(deactivateUser, gone)).toMatchObject({ kind: "accepted" });
    expect(books.when(${decider}, command)).toMatchObject({ code: "consignor_not_found" });
  });

`;

/** What the generated state and refusals promise. */
function asideSpec({ moves, setAside, decider }: EventNames): string {
  if (setAside === null) {
    return "";
  }
  return moves?.way === "to"
    ? `  it("keeps its units from leaving, and its item from being deleted", () => {
    const books = booksBefore();
    books.when(${decider}, command);
    const all = { itemId, units: 5, reason: "lost", happenedAt } as const;
    expect(books.when(removeUnits, all)).toMatchObject({ code: "not_enough_stock" });
    const item = { itemId, ownerUid: null, happenedAt };
    expect(books.when(archiveItem, item)).toMatchObject({ code: "units_set_aside" });
  });

`
    : `  it("brings back no more than is set aside", () => {
    expect(booksBefore().when(${decider}, { ...command, units: 6 })).toMatchObject({
      code: "not_enough_set_aside",
    });
  });

`;
}

/** What made the thing: an item with five units, or the event itself, which any state allows. */
function given(names: EventNames, nth: number): string {
  const { stream, type } = names;
  return isOfItem(names)
    ? `itemAdded({ itemId, ownerUid: null, details: detailsOf("B-${nth}"), units: 5, source: "manual", fromItemId: null, happenedAt })`
    : `emit(${type}, { ${commandNames(names)
        .map((name) => (name === stream.idName ? name : `${name}: command.${name}`))
        .join(", ")} }, { streams: [${stream.idOf}(${stream.idName})], happenedAt })`;
}
