// Generates bodies that nearly match a JSON schema, and values that nobody should send.
import * as fc from "fast-check";

/** The part of JSON Schema that request schemas use. */
export type JsonSchema = {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly format?: string;
  readonly minLength?: number;
};

const oddTexts = [
  "",
  " ",
  "0",
  "-1",
  "NaN",
  "1e309",
  "null",
  "undefined",
  "true",
  "[]",
  "{}",
  "__proto__",
  "constructor",
  "'; drop table log.events; --",
  "%",
  "%25%00",
  "\\",
  "..",
  "../../etc/passwd",
  "<script>alert(1)</script>",
  "=1+1",
  "\u202e",
  "\u{1F600}",
  "é".normalize("NFD"),
  "a".repeat(3_000),
  "2026-13-45T99:99:99Z",
  "00000000-0000-0000-0000-000000000000",
] as const;

/** Text that has broken programs before, and random text. Well-formed. */
export const garbageText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...oddTexts),
  fc.string({ unit: "binary", maxLength: 30 }).filter((text) => text.isWellFormed()),
);

/** Any JSON value, starting with unusual numbers. */
export const garbageValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -0,
    -1,
    0.001,
    0.30000000000000004,
    1e21,
    1.7976931348623157e308,
    9_007_199_254_740_992,
    2_147_483_648,
    [],
    {},
    [[]],
    [null],
    { length: 1 },
  ),
  garbageText,
  fc.jsonValue({ maxDepth: 2 }),
);

/** A value that usually matches the schema. */
function valueLike(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) {
    return fc.constant(schema.const);
  }
  if (schema.enum !== undefined) {
    return fc.constantFrom(...schema.enum);
  }
  if (schema.anyOf !== undefined) {
    return fc.oneof(...schema.anyOf.map(valueLike));
  }
  switch (schema.type) {
    case "object":
      return objectLike(schema);
    case "array":
      return fc.array(valueLike(schema.items ?? {}), { maxLength: 3 });
    case "integer":
      return fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer());
    case "number":
      return fc.oneof(
        fc.integer({ min: 0, max: 10_000 }).map((cents) => cents / 100),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
      );
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "string":
      return schema.format === "email"
        ? fc.integer({ min: 0, max: 99 }).map((number) => `p${number}@people.test`)
        : fc.oneof(
            fc.string({ minLength: schema.minLength ?? 1, maxLength: 20, unit: "grapheme-ascii" }),
            fc.uuid(),
            garbageText,
          );
    default:
      return garbageValue;
  }
}

function objectLike(schema: JsonSchema): fc.Arbitrary<unknown> {
  const fields = Object.entries(schema.properties ?? {}).map(
    ([name, field]) => [name, valueLike(field)] as const,
  );
  return fc.record(Object.fromEntries(fields), {
    requiredKeys: [...(schema.required ?? [])].filter((name) =>
      fields.some(([known]) => known === name),
    ),
  });
}

/** A body that matches the schema, sometimes with one thing that does not. */
export function bodyLike(schema: JsonSchema): fc.Arbitrary<unknown> {
  const names = Object.keys(schema.properties ?? {});
  const right = valueLike(schema);
  const spoilt = fc
    .tuple(right, fc.constantFrom(...names, "unknownField"), garbageValue)
    .map(([body, name, value]) => ({ ...Object(body), [name]: value }));
  return fc.oneof({ weight: 3, arbitrary: right }, { weight: 2, arbitrary: spoilt }, garbageValue);
}
