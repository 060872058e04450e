// The new files of an event: its command's decider, the specs, and the call that sends it.
import type { StreamNames } from "./feature-files.ts";
import { camel, kebab, sentence } from "./names.ts";

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
import { expect, it } from "vitest";
import { emit } from "#ledger/event.ts";
import { ${decider} } from "#features/${feature}/decider-${file}.ts";
import { ${type} } from "#features/${feature}/events.ts";
import { ${idOf} } from "#features/${feature}/streams.ts";
import type { MemoryBooks } from "#testing/shop/memory-books.ts";
import { memoryBooks } from "#testing/shop/memory-books.ts";

const ${idName} = "${sampleId}";
const happenedAt = "2024-05-31T12:00:00.000Z";

/** Books that have the ${category}. */
function booksWithIt(): MemoryBooks {
  const books = memoryBooks();
  books.given(emit(${type}, { ${idName} }, { streams: [${idOf}(${idName})], happenedAt }));
  return books;
}

it("is one event, and the answer has the new version", () => {
  const { added, ...decision } = booksWithIt().when(${decider}, { ${idName}, happenedAt });
  expect(decision).toMatchObject({ kind: "accepted", answer: { ${idName}, version: 2 } });
  expect(added).toMatchObject([{ type: "${type}", data: { ${idName} } }]);
});

it("is rejected for a ${category} that is not there", () => {
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
`;
}

export function routesFile({ command, feature, stream, decider, file }: EventNames): string {
  const { idName } = stream;
  const done = sentence(command);
  return `// The call that sends ${command}.
import { Hono } from "hono";
import { admin } from "#http/access.ts";
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
    "/${feature}/${kebab(command)}",
    admin,
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
