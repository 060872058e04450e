// The new files of an event: its command's decider, the specs, and the call that sends it.
import type { StreamNames } from "./feature-files.ts";
import { camel, sentence, withArticle } from "./names.ts";

export type EventNames = {
  /** ItemReserved */
  readonly type: string;
  /** ReserveItem */
  readonly command: string;
  readonly feature: string;
  readonly stream: StreamNames;
  /** reserveItem */
  readonly decider: string;
  /** reserve-item */
  readonly file: string;
  /** /inventory/reserve-item */
  readonly path: string;
};

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

export function deciderFile({ type, command, feature, stream, decider }: EventNames): string {
  const { idName, idOf, definition, category } = stream;
  return `// Decides ${command}.
import type { Decider } from "#ledger/decider.ts";
import { accept, reject } from "#ledger/decider.ts";
import { emit } from "#ledger/event.ts";
import { ${type} } from "#features/${feature}/events.ts";
import { ${definition}, ${idOf} } from "#features/${feature}/streams.ts";

export type ${command} = {
  readonly ${idName}: string;
  readonly happenedAt: string;
};

export type ${command}Answer = { readonly ${idName}: string; readonly version: number };

/** Rejects 404 \`${category}_not_found\`. */
export const ${decider}: Decider<${command}, ${command}Answer> = {
  type: "${command}",
  streams: ({ ${idName} }) => [${idOf}(${idName})],
  decide: ({ ${idName}, happenedAt }, states) => {
    const { version } = states.get(${definition}, ${idOf}(${idName}));
    if (version === 0) {
      return reject(404, "${category}_not_found", "There is no such ${category}");
    }
    const event = emit(${type}, { ${idName} }, { streams: [${idOf}(${idName})], happenedAt });
    return accept([event], { ${idName}, version: version + 1 });
  },
};
`;
}

export function eventSpec({ type, command, feature, stream, decider, file }: EventNames): string {
  const { idName, idOf, sampleId, category } = stream;
  return `// Specs of ${command}: given what happened, when it is asked for, then what.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Decider } from "#ledger/decider.ts";
import { accept } from "#ledger/decider.ts";
import { emit } from "#ledger/event.ts";
import { ${decider} } from "#features/${feature}/decider-${file}.ts";
import { ${type} } from "#features/${feature}/events.ts";
import { ${idOf} } from "#features/${feature}/streams.ts";
import type { MemoryBooks } from "#testing/shop/memory-books.ts";
import { memoryBooks } from "#testing/shop/memory-books.ts";
import type { TestApp } from "#testing/service/test-app.ts";
import { openTestApp } from "#testing/service/test-app.ts";

const ${idName} = "${sampleId}";
const happenedAt = "2024-05-31T12:00:00.000Z";

/** What made the ${category}. */
const made = emit(${type}, { ${idName} }, { streams: [${idOf}(${idName})], happenedAt });

function booksWithIt(): MemoryBooks {
  const books = memoryBooks();
  books.given(made);
  return books;
}

it("is one event, and the answer has the new version", () => {
  const { added, ...decision } = booksWithIt().when(${decider}, { ${idName}, happenedAt });
  expect(decision).toMatchObject({ kind: "accepted", answer: { ${idName}, version: 2 } });
  expect(added).toMatchObject([{ type: "${type}", data: { ${idName} } }]);
});

it("is rejected for ${withArticle(category)} that is not there", () => {
  expect(memoryBooks().when(${decider}, { ${idName}, happenedAt })).toMatchObject({
    status: 404,
    code: "${category}_not_found",
  });
});

it("posts, moves and rejects what the store wants", () => {
  expect.fail(
    "Replace this spec: say what ${type} posts and moves, and when ${command} is rejected",
  );
});

describe("in a real log", () => {
  let shop: TestApp;

  const making: Decider<null, null> = {
    type: "Make",
    streams: () => made.streams,
    decide: () => accept([made], null),
  };

  const executed = <Command, Answer>(
    decider: Decider<Command, Answer>,
    command: Command,
    key: string,
  ) =>
    shop.deps.ledger.execute(decider, command, {
      actor: "system:test",
      scope: "store",
      key,
      requestHash: "00",
    });

  beforeAll(async () => {
    shop = await openTestApp({ projections: [] });
    await executed(making, null, "making");
  });

  afterAll(() => shop.close());

  const asked = (key: string) => executed(${decider}, { ${idName}, happenedAt }, key);

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
    expect(versions.toSorted((one, other) => one - other)).toEqual([3, 4, 5, 6]);
  });
});
`;
}

export function routesFile({ command, feature, stream, decider, file, path }: EventNames): string {
  const { idName } = stream;
  const done = sentence(command);
  return `// The call that sends ${command}.
import { Hono } from "hono";
import { admin, rehearsable } from "#http/access.ts";
import { runCommand } from "#http/command.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { jsonBody } from "#http/validate.ts";
import { ${decider}Request, ${decider}Response } from "#features/${feature}/contract.ts";
import { ${decider} } from "#features/${feature}/decider-${file}.ts";

export function ${camel(command)}Routes({ ledger, clock }: RouteDeps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  routes.post(
    "${path}",
    rehearsable(admin),
    documented({ summary: "${done}", tag: "${feature}", answer: ${decider}Response }),
    jsonBody(${decider}Request),
    async (c) => {
      const command = { ...c.req.valid("json"), happenedAt: clock().toISOString() };
      const { ${idName}, version } = await runCommand(c, ledger, ${decider}, command);
      return c.json({ message: "Done: ${lowerFirst(done)}", ${idName}, version });
    },
  );
  return routes;
}
`;
}
