// Array parameters for the append function, written as PostgreSQL array literals in one pass.

/** A `jsonb[]` literal from JSON texts. Quoting them as JSON strings escapes exactly what an array literal needs. */
export function jsonArray(texts: readonly string[]): string {
  return `{${texts.map((text) => JSON.stringify(text)).join(",")}}`;
}

/** A `text[]`, `uuid[]`, `timestamptz[]` or `bytea[]` literal; every element quoted, none NULL. */
export function textArray(values: readonly string[]): string {
  if (values.length === 0) {
    return "{}";
  }
  let literal = "{";
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] ?? "";
    literal += index === 0 ? '"' : ',"';
    literal +=
      value.includes("\\") || value.includes('"') ? value.replaceAll(/["\\]/g, "\\$&") : value;
    literal += '"';
  }
  return `${literal}}`;
}

/** An `integer[]` or `bigint[]` literal. */
export function numberArray(values: readonly number[]): string {
  return `{${values.join(",")}}`;
}

/** A `bytea[]` literal from hex strings. */
export function hexArray(values: readonly string[]): string {
  return values.length === 0 ? "{}" : `{"\\\\x${values.join('","\\\\x')}"}`;
}
