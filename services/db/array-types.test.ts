// Arrays in statements and answers, although no connection asks for their types.
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TypeHandlers } from "#db/array-types.ts";
import { addArrayTypes, builtInArrays } from "#db/array-types.ts";
import { connect } from "#db/connect.ts";
import type { Sql } from "#db/connect.ts";
import type { TestDatabase } from "#testing/database/test-database.ts";
import { testDatabase } from "#testing/database/test-database.ts";
import { sized } from "#testing/trial/size.ts";

let database: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  database = await testDatabase();
  sql = connect(database.appUrl, { applicationName: "arrays", maxConnections: 1 });
});

afterAll(async () => {
  await sql.end();
  await database.close();
});

describe("arrays", () => {
  it("are known for every type that PostgreSQL brings", async () => {
    const rows = await sql<{ element: number; array: number }[]>`
      select element.oid::integer as element, element.typarray::integer as array
      from pg_type element
      where element.oid < 10000 and element.typarray <> 0 and element.typrelid = 0
      order by 1`;
    expect(builtInArrays).toEqual(rows.map(({ element, array }) => [element, array]));
  });

  it("are read with the values of their elements", async () => {
    const [row] = await sql`
      select array[1, null, 2]::bigint[] as numbers, array[true, false] as truths,
        array[array['a', 'b'], array['c', null]] as nested, '{}'::text[] as empty,
        '[0:1]={3,4}'::integer[] as bounds, array['NULL', null, '', ' '] as words,
        array['{"a":[1]}', 'null']::jsonb[] as documents,
        array['2026-11-23T10:00:00Z']::timestamptz[] as times, array['\\x0aff']::bytea[] as bytes,
        array[box '((1,1),(0,0))', box '((2,2),(0,0))'] as boxes`;
    expect(row).toEqual({
      numbers: [1, null, 2],
      truths: [true, false],
      nested: [
        ["a", "b"],
        ["c", null],
      ],
      empty: [],
      bounds: [3, 4],
      words: ["NULL", null, "", " "],
      documents: [{ a: [1] }, null],
      times: [new Date("2026-11-23T10:00:00Z")],
      bytes: [Buffer.from([10, 255])],
      boxes: ["(1,1),(0,0)", "(2,2),(0,0)"],
    });
    await expect(sql`select array[9007199254740993]::bigint[]`).rejects.toThrow(RangeError);
  });

  it("of texts come back as they were sent", async () => {
    const text = fc.oneof(
      fc.string({ unit: "grapheme" }).map((value) => value.replaceAll("\0", "")),
      fc.constantFrom("NULL", "null", "", "{}", '"', "\\", ",", '\\"', "a b", " "),
    );
    const texts = fc.array(fc.option(text), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(texts, async (sent) => {
        const [row] = await sql`select ${sent}::text[] as texts`;
        expect(row).toEqual({ texts: sent });
      }),
      { numRuns: sized(100, 1000) },
    );
  });

  it("of other types come back as they were sent", async () => {
    const [row] = await sql`
      select ${[1, 2]}::bigint[] as numbers, ${["2026-11-23T10:00:00Z"]}::timestamptz[] as times,
        ${[
          [1, 2],
          [3, 4],
        ]}::integer[] as nested,
        ${"{5,6}"}::integer[] as written`;
    expect(row).toEqual({
      numbers: [1, 2],
      times: [new Date("2026-11-23T10:00:00Z")],
      nested: [
        [1, 2],
        [3, 4],
      ],
      written: [5, 6],
    });
  });

  it("with an undefined element are refused", () => {
    const handlers: TypeHandlers = { parsers: {}, serializers: {} };
    addArrayTypes(handlers);
    const texts = 1009;
    expect(handlers.serializers[texts]?.(["a", null])).toBe('{"a",null}');
    expect(() => handlers.serializers[texts]?.(["a", undefined])).toThrow("undefined element");
  });
});
