// The default messages for refused fields whose schema has no message of its own.
import { config, type core } from "zod";

/** Makes these messages the default for every schema in this process, for zod and zod/mini. */
export function speakPlainly(): void {
  config({ localeError: sentenceFor });
}

/** A sentence that names the field, for any issue zod may raise. */
export function sentenceFor(issue: core.$ZodRawIssue): string {
  const field = nameOfField(issue.path ?? []);
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined
        ? `${field} is required`
        : `${field} must be ${typeNames[issue.expected] ?? `of type ${issue.expected}`}`;
    case "too_small":
      return bound(field, issue.origin, "at least", issue.minimum, issue.inclusive ?? true);
    case "too_big":
      return bound(field, issue.origin, "at most", issue.maximum, issue.inclusive ?? true);
    case "invalid_value":
      return `${field} must be one of: ${issue.values.map(String).join(", ")}`;
    case "unrecognized_keys":
      return `Unknown field: ${namesOf(issue.keys)}`;
    case "not_multiple_of":
      return `${field} must be a multiple of ${issue.divisor}`;
    default:
      return `${field} is not valid`;
  }
}

const MOST_NAMES = 5;
const LONGEST_NAME = 60;

/** The first of them, each cut: a large request must not get a large answer. */
function namesOf(keys: readonly string[]): string {
  const named = keys.slice(0, MOST_NAMES).map((key) => key.slice(0, LONGEST_NAME));
  return [...named, ...(keys.length > MOST_NAMES ? ["…"] : [])].join(", ");
}

const typeNames: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  null: "null",
  date: "a date",
};

function nameOfField(path: readonly PropertyKey[]): string {
  return path.length === 0 ? "The request" : path.map(String).join(".");
}

function bound(
  field: string,
  origin: string,
  words: "at least" | "at most",
  limit: number | bigint,
  inclusive: boolean,
): string {
  if (origin === "string") {
    return `${field} must have ${words} ${limit} characters`;
  }
  if (origin === "array" || origin === "set") {
    return `${field} must have ${words} ${limit} entries`;
  }
  if (inclusive) {
    return `${field} must be ${words} ${limit}`;
  }
  return `${field} must be ${words === "at least" ? "more" : "less"} than ${limit}`;
}
