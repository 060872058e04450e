// Describes a route in the OpenAPI document, apart from its request: what it does and what it answers.
import type { MiddlewareHandler } from "hono";
import { describeRoute, resolver } from "hono-openapi";
import type { core } from "zod";
import type { AppEnv } from "#http/env.ts";

/**
 * A later version may add fields to an answer, and pages of this one ignore them. Zod itself calls every object of an
 * answer closed; this leaves only those that refuse unknown fields.
 */
const openObjects = {
  unrepresentable: "any",
  override: ({ zodSchema, jsonSchema }: Written) => {
    const { def } = zodSchema._zod;
    if (def.type === "object" && def.catchall === undefined) {
      delete jsonSchema.additionalProperties;
    }
  },
} as const;

const TAKES_KEY = { "x-takes-key": true };

type Written = Parameters<NonNullable<core.ToJSONSchemaParams["override"]>>[0];

type Named = { readonly summary: string; readonly tag: string };
type Responses = NonNullable<Parameters<typeof describeRoute>[0]["responses"]>;

/** Names a route in the document: a short imperative sentence, its group, and the schema of its 200. */
export function documented(
  route: Named & {
    readonly answer: core.$ZodType;
    /** Types of files that the same call can also answer. */
    readonly files?: readonly string[];
    /** It takes an Idempotency-Key. Calls that can be rehearsed, and those with `keepsAnswer`, need not say so. */
    readonly takesKey?: true;
  },
): MiddlewareHandler<AppEnv> {
  const schema = resolver(route.answer as never, { options: openObjects });
  return describeRoute({
    summary: route.summary,
    tags: [route.tag],
    ...(route.takesKey === true ? TAKES_KEY : {}),
    responses: {
      200: {
        description: "OK",
        content: { "application/json": { schema }, ...fileContent(route.files ?? []) },
      },
    },
  });
}

const answering = ({ summary, tag }: Named, responses: Responses): MiddlewareHandler<AppEnv> =>
  describeRoute({ summary, tags: [tag], responses });

/** The same for a browser's beacon: it has no headers of ours, so no Idempotency-Key, and the answer 204 without a body. */
export const documentedBeacon = (route: Named) =>
  answering(route, { 204: { description: "Done" } });

/** The same for a stream of server-sent events. */
export const documentedStream = (route: Named) =>
  answering(route, {
    200: {
      description: "A stream of server-sent events",
      content: { "text/event-stream": { schema: { type: "string" } } },
    },
  });

/** The same for an answer that is plain text. */
export const documentedText = (route: Named) =>
  answering(route, {
    200: { description: "OK", content: { "text/plain": { schema: { type: "string" } } } },
  });

/** The same for a call that redirects a browser. */
export const documentedRedirect = (route: Named) =>
  answering(route, { 302: { description: "Redirect to a page of the app" } });

/** The same for an answer that is saved as a file, in one of several types. */
export const documentedFile = (route: Named & { readonly types: readonly string[] }) =>
  answering(route, { 200: { description: "OK", content: fileContent(route.types) } });

function fileContent(types: readonly string[]) {
  return Object.fromEntries(
    types.map((type) => [type, { schema: { type: "string" as const, format: "binary" } }]),
  );
}
