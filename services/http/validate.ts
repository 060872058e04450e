// The edge: nothing reaches a route that its schema did not accept. The same schemas make the OpenAPI document.
import type { MiddlewareHandler } from "hono";
import { resolver, uniqueSymbol } from "hono-openapi";
import { type $ZodIssue, type $ZodType, safeParse } from "zod/v4/core";
import type { AppEnv } from "#http/env.ts";
import { type ErrorDetail, HttpError } from "#http/errors.ts";
import { readJsonBody } from "#http/read-body.ts";
import { speakPlainly } from "#http/validation-messages.ts";

speakPlainly();

type Target = "json" | "query" | "param";

type Validator<T extends Target, Output, Input> = MiddlewareHandler<
  AppEnv,
  string,
  { in: { [K in T]: Input }; out: { [K in T]: Output } }
>;

/** Checks the JSON body; `c.req.valid("json")` is then typed. Use `z.strictObject`: unknown fields are a 400. */
export function jsonBody<Output, Input>(
  schema: $ZodType<Output, Input>,
): Validator<"json", Output, Input> {
  return tag("json", schema, async (c, next) => {
    const sent = await readJsonBody(c.req.raw);
    c.set("sentBody", sent);
    c.req.addValidatedData("json", check(schema, sent));
    await next();
  });
}

/** Checks the query string; every value arrives as a string, a repeated one as a list. */
export function queryString<Output, Input>(
  schema: $ZodType<Output, Input>,
): Validator<"query", Output, Input> {
  return tag("query", schema, async (c, next) => {
    const sent = Object.entries(c.req.queries()).map(([name, values]) => [
      name,
      values.length === 1 ? values[0] : values,
    ]);
    c.req.addValidatedData("query", check(schema, Object.fromEntries(sent)));
    await next();
  });
}

/** Checks the path's parameters. */
export function pathParams<Output, Input>(
  schema: $ZodType<Output, Input>,
): Validator<"param", Output, Input> {
  return tag("param", schema, async (c, next) => {
    c.req.addValidatedData("param", check(schema, c.req.param()));
    await next();
  });
}

function check<Output, Input>(schema: $ZodType<Output, Input>, value: unknown): object {
  const result = safeParse(schema, value);
  if (!result.success) {
    throw invalid(result.error.issues);
  }
  return Object(result.data);
}

/** The 400 for a request that its schema refused. The first thing wrong is the message. */
export function invalid(issues: readonly $ZodIssue[]): HttpError {
  const details: ErrorDetail[] = issues.slice(0, 20).map((issue) => ({
    path: issue.path.map(String).join("."),
    message: issue.message,
  }));
  const message = details[0]?.message ?? "The request is not valid";
  return new HttpError(400, "validation_failed", message, { details });
}

function tag<T extends Target, Output, Input>(
  target: T,
  schema: $ZodType<Output, Input>,
  handler: Validator<T, Output, Input>,
): Validator<T, Output, Input> {
  return Object.assign(handler, {
    [uniqueSymbol]: { target, ...resolver(schema, { io: "input" }) },
  });
}
