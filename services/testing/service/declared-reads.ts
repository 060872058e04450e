// Fails a call whose route reads tables of a projection that its `readsFrom` does not name: it would not wait for them.
import { AsyncLocalStorage } from "node:async_hooks";
import type { Sql } from "#db/connect.ts";
import type { Freshness } from "#http/freshness.ts";
import type { Projection } from "#ledger/projection/define.ts";

/** The projections that the route of a call names, and the names of the read tables that its statements contain. */
type Call = { readonly named: Set<string>; readonly tables: Set<string> };

const calls = new AsyncLocalStorage<Call>();

/** Calls that take from a projection only what may be old, so that nothing waits for it. */
const unawaited: readonly (readonly [call: RegExp, projection: string])[] = [
  // The items' pictures.
  [/^GET \/api\/sales\b/u, "inventory"],
  // Whether the person may see the item. What trades hold of it is read with it, and not shown.
  [/^GET \/api\/(?:inventory|audit)\/items\/[^/?]+(?:\/timeline|\/origin)?(?:\?|$)/u, "trades"],
];

/** The same pool, which notes what is read during a call. */
export function notingReads(sql: Sql): Sql {
  return new Proxy(sql, {
    get(target, property, receiver): unknown {
      const value: unknown = Reflect.get(target, property, receiver);
      if (property !== "unsafe") {
        return value;
      }
      const unsafe: Sql["unsafe"] = (statement, ...rest) => {
        for (const [, table = ""] of statement.matchAll(/\bread"?\."?(\w+)/gu)) {
          calls.getStore()?.tables.add(table);
        }
        return target.unsafe(statement, ...rest);
      };
      return unsafe;
    },
  });
}

/** The same waiting, which notes what `readsFrom` names. */
export function notingNames(freshness: Freshness): Freshness {
  return {
    ...freshness,
    wait: (projections, ...rest) => {
      for (const name of projections) {
        calls.getStore()?.named.add(name);
      }
      return freshness.wait(projections, ...rest);
    },
  };
}

/** Runs a call, and throws if it read a projection's tables without naming it. */
export async function withNamedReads<Answer>(
  what: string,
  projections: readonly Projection[],
  work: () => Promise<Answer>,
): Promise<Answer> {
  const call: Call = { named: new Set(), tables: new Set() };
  const answer = await calls.run(call, work);
  const unnamed = projections.filter(
    ({ name, tables }) =>
      !call.named.has(name) &&
      tables.some((table) => call.tables.has(table.name)) &&
      unawaited.every(([pattern, projection]) => projection !== name || !pattern.test(what)),
  );
  if (unnamed.length > 0) {
    const names = unnamed.map(({ name }) => name).join(", ");
    throw new Error(
      `${what} reads tables of ${names}: name them in the route's readsFrom, or it answers before they are fresh. ` +
        "Where that does not matter, add it to services/testing/service/declared-reads.ts",
    );
  }
  return answer;
}
