// Every schema of every contract can be described: otherwise `/api/openapi.json` is a 500 for everybody.
import { glob } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import * as z from "zod/mini";

/** Values that are not a schema where one belongs, by their paths: usually a function such as `text` that was not called. */
function notSchemas(value: unknown, path: string, seen = new Set<unknown>()): readonly string[] {
  if (!(value instanceof z.core.$ZodType)) {
    return [path];
  }
  if (seen.has(value)) {
    return [];
  }
  seen.add(value);
  const def: object = value._zod.def;
  const parts = Object.entries(def).flatMap(
    ([name, part]): readonly (readonly [string, unknown])[] => {
      switch (name) {
        case "shape":
          return Object.entries(Object(part)).map(([field, one]) => [`${path}.${field}`, one]);
        case "options":
        case "items":
          return Object.values(Object(part)).map((one, index) => [`${path}[${index}]`, one]);
        case "element":
        case "innerType":
        case "in":
        case "out":
        case "left":
        case "right":
        case "keyType":
        case "valueType":
        case "catchall":
          return [[path, part]];
        default:
          return [];
      }
    },
  );
  return parts
    .filter(([, part]) => part !== undefined && part !== null)
    .flatMap(([at, part]) => notSchemas(part, at, seen));
}

it("every field of every contract has a schema", async () => {
  const found: string[] = [];
  let schemas = 0;
  const files = glob("features/*/contract*.ts", {
    cwd: import.meta.dirname,
    exclude: ["**/*.test.ts"],
  });
  for await (const file of files) {
    const module: unknown = await import(join(import.meta.dirname, file));
    for (const [name, value] of Object.entries(Object(module))) {
      if (value instanceof z.core.$ZodType) {
        schemas += 1;
        found.push(...notSchemas(value, `${file}: ${name}`));
      }
    }
  }
  expect(found, "write a schema there; text is a function: text(maxLength)").toEqual([]);
  expect(schemas).toBeGreaterThan(100);
});

it("finds a function where a schema belongs, in whatever it is", () => {
  const text = (() => z.string()) as unknown as z.ZodMiniString;
  const request = z.strictObject({ lines: z.array(z.object({ forUid: text, ok: z.string() })) });
  expect(notSchemas(request, "request")).toEqual(["request.lines.forUid"]);
});
