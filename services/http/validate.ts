// Validates requests: a route only gets what its schema accepts. The same schemas make the OpenAPI document.
import { type Hook, zValidator } from "@hono/zod-validator";
import type { Context, MiddlewareHandler } from "hono";
import { matchedRoutes, routePath } from "hono/route";
import { findTargetHandler } from "hono/utils/handler";
import { resolver, uniqueSymbol } from "hono-openapi";
import type { $ZodIssue, $ZodType } from "zod/v4/core";
import * as z from "zod/mini";
import { described as describedAs } from "#http/described.ts";
import type { AppEnv } from "#http/env.ts";
import { type ErrorDetail, HttpError } from "#http/errors.ts";
import { readJsonBody } from "#http/read-body.ts";
import { speakPlainly } from "#http/validation-messages.ts";

speakPlainly();

type Target = "json" | "query" | "param";

type Validated<T extends Target, Output, Input> = {
  in: { [K in T]: Input };
  out: { [K in T]: Output };
};
type Validator<T extends Target, Output, Input> = MiddlewareHandler<
  AppEnv,
  string,
  Validated<T, Output, Input>
>;

/** Checks the JSON body; `c.req.valid("json")` is then typed. Use `z.strictObject`: unknown fields are a 400. */
export function jsonBody<Output, Input>(
  schema: $ZodType<Output, Input>,
): Validator<"json", Output, Input> {
  const validate = validated("json", schema);
  const handler: Validator<"json", Output, Input> = async (c, next) => {
    const value = await readJsonBody(c.req.raw, c.get("maxBodyBytes"));
    c.set("sentBody", value);
    // The bytes are read, checked and parsed once: the validator gets the value.
    Object.assign(c.req, { json: () => Promise.resolve(value) });
    return validate(c, next);
  };
  return described("json", schema, handler);
}

const nothing = z.strictObject({});

/**
 * For a call that takes no body: 400 for one that has fields, which would be dropped otherwise. An empty object is none.
 * It is not part of the request's hash, as there is nothing in it.
 */
export const noBody = describedAs<MiddlewareHandler<AppEnv>>(
  async (c, next) => {
    const sent = nothing.safeParse(await readJsonBody(c.req.raw, c.get("maxBodyBytes")));
    if (!sent.success) {
      throw invalid(sent.error.issues);
    }
    return next();
  },
  { "x-no-body": true },
);

const queryStrings = new WeakSet<object>();

/**
 * Checks the query string; every value arrives as a string, a repeated one as a list. Use `z.strictObject`: unknown
 * parameters are a 400. Throws for a schema that would drop them.
 */
export function queryString<Output, Input>(
  schema: $ZodType<Output, Input>,
): Validator<"query", Output, Input> {
  const { def } = schema._zod;
  if (def.type === "object" && Reflect.get(def, "catchall") === undefined) {
    throw new Error("A query that drops unknown parameters: use z.strictObject, or z.looseObject");
  }
  const handler = described("query", schema, validated("query", schema));
  queryStrings.add(handler);
  return handler;
}

/** 400 for parameters of a route without `queryString`: it would drop them. */
export function refuseUnreadQuery(c: Context): void {
  if (!c.req.url.includes("?")) {
    return;
  }
  const path = routePath(c);
  const isRead = matchedRoutes(c).some(
    (route) => route.path === path && queryStrings.has(findTargetHandler(route.handler)),
  );
  const sent = isRead ? undefined : nothing.safeParse(c.req.query());
  if (sent?.success === false) {
    throw invalid(sent.error.issues);
  }
}

/** Checks the path's parameters. */
export function pathParams<Output, Input>(
  schema: $ZodType<Output, Input>,
): Validator<"param", Output, Input> {
  return described("param", schema, validated("param", schema));
}

/** Applies a schema to a part of a request. Refusals are thrown, so that all errors have the same shape. */
function validated<T extends Target, Output, Input>(
  target: T,
  schema: $ZodType<Output, Input>,
): Validator<T, Output, Input> {
  type Schema = $ZodType<Output, Input>;
  type Refuse = Hook<Output, AppEnv, string, T, never, Schema>;
  const refuse: Refuse = (result) => {
    if (!result.success) {
      throw invalid(result.error.issues);
    }
  };
  type Into = Validated<T, Output, Input>;
  return zValidator<Schema, T, AppEnv, string, Refuse, Input, Output, Into, Into, Output>(
    target,
    schema,
    refuse,
  );
}

/** The 400 for a request that its schema refused. The first problem is the message. */
export function invalid(issues: readonly $ZodIssue[]): HttpError {
  const details: ErrorDetail[] = issues.slice(0, 20).map((issue) => ({
    path: issue.path.map(String).join("."),
    message: issue.message,
  }));
  const message = details[0]?.message ?? "The request is not valid";
  return new HttpError(400, "validation_failed", message, { details });
}

/** Adds what the handler accepts to the OpenAPI document. */
function described<T extends Target, Output, Input>(
  target: T,
  schema: $ZodType<Output, Input>,
  handler: Validator<T, Output, Input>,
): Validator<T, Output, Input> {
  return Object.assign(handler, {
    [uniqueSymbol]: { target, ...resolver(schema, { io: "input" }) },
  });
}
