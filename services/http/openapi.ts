// The OpenAPI document, made from the routes themselves, so that it describes exactly what is validated.
import type { Hono } from "hono";
import { type GenerateSpecOptions, generateSpecs } from "hono-openapi";
import { type $ZodType, toJSONSchema } from "zod/v4/core";
import type { AppEnv } from "#http/env.ts";

type Schema = NonNullable<
  NonNullable<GenerateSpecOptions["documentation"]["components"]>["schemas"]
>[string];

const errorSchema: Schema = {
  type: "object",
  required: ["error", "message"],
  properties: {
    error: { type: "string", description: "A stable code" },
    message: { type: "string", description: "A sentence for a person" },
    details: {
      type: "array",
      items: {
        type: "object",
        required: ["path", "message"],
        properties: { path: { type: "string" }, message: { type: "string" } },
      },
    },
    current: { type: "object", description: "The current state of what was changed" },
  },
};

function refusal(description: string) {
  return {
    description,
    content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
  };
}

export type OpenApiDocument = Awaited<ReturnType<typeof generateSpecs>>;

/** The refusals that do not come from the routes themselves, each for the routes where it can occur. */
const refusals = {
  401: "Unauthenticated",
  403: "Forbidden",
  404: "NotFound",
  409: "Refused",
  413: "TooLarge",
  422: "KeyReused",
  429: "TooMany",
} as const;

const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "The same key and request again gets the first answer and changes nothing",
  schema: { type: "string" },
} as const;

const rehearsal = {
  name: "Ledger-Rehearsal",
  in: "header" as const,
  required: false,
  description:
    "The answer is then a Rehearsal: what the call would do, or the refusal it would get. Nothing is done or kept, " +
    "and Ledger-Position says what it was decided on",
  schema: { type: "string" as const, enum: ["true"] },
};

const methods = ["get", "post", "put", "patch", "delete"] as const;

/** Adds the answers that all routes of a kind can give, and the header that makes repetition safe. */
function withCommonRefusals(document: OpenApiDocument): OpenApiDocument {
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of methods) {
      const operation = item?.[method];
      if (operation === undefined) {
        continue;
      }
      const isChange = method !== "get";
      const isIdentity = path.startsWith("/api/identity/");
      const takesKey = ["x-rehearsal", "x-keeps-answer", "x-takes-key"].some(
        (mark) => Reflect.get(operation, mark) === true,
      );
      // Admins have no limit on commands.
      const isLimited = isChange && Reflect.get(operation, "x-access") !== "admin";
      const statuses: (keyof typeof refusals)[] = [
        ...(path.includes("{") || isChange ? [404 as const] : []),
        ...(isChange ? [409 as const, 413 as const] : []),
        ...(takesKey ? [422 as const] : []),
        ...(isIdentity || path.endsWith("/check-username") || isLimited ? [429 as const] : []),
      ];
      operation.responses = {
        ...Object.fromEntries(
          statuses.map((status) => [
            String(status),
            { $ref: `#/components/responses/${refusals[status]}` },
          ]),
        ),
        ...operation.responses,
      };
      if (takesKey) {
        operation.parameters = [...(operation.parameters ?? []), idempotencyKey];
      }
      if (Reflect.get(operation, "x-rehearsal") === true) {
        operation.parameters = [...(operation.parameters ?? []), rehearsal];
        addRehearsal(operation.responses);
      }
    }
  }
  return document;
}

type Responses = NonNullable<
  NonNullable<NonNullable<OpenApiDocument["paths"][string]>["post"]>["responses"]
>;

/** A rehearsal is the other form of a 200. */
function addRehearsal(responses: Responses): void {
  const done = responses["200"];
  const json =
    done !== undefined && "content" in done ? done.content?.["application/json"] : undefined;
  if (json?.schema !== undefined) {
    json.schema = { anyOf: [json.schema, { $ref: "#/components/schemas/Rehearsal" }] };
  }
}

/** The document of every route under `/api`. `rehearsal` is the schema of what a rehearsal answers. */
export async function describeApi(
  app: Hono<AppEnv>,
  rehearsalAnswer: $ZodType,
): Promise<OpenApiDocument> {
  const document = await generateSpecs(app, {
    documentation: {
      info: {
        title: "Consignment Ledger",
        version: "1",
        description:
          "Amounts are dollars with at most two decimals. Mutations accept an Idempotency-Key and answer " +
          "a Ledger-Position; a read that sends it back sees the write. Identity's calls keep the session in " +
          "the HttpOnly cookie refresh_token, over https __Secure-refresh_token. Another cookie, known_browser, gives no access: it only lets attempts from a " +
          "browser that has used an account be counted separately from everybody else's.",
      },
      components: {
        securitySchemes: { bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" } },
        schemas: {
          Error: errorSchema,
          // Both are JSON Schema, but two libraries type it differently.
          Rehearsal: toJSONSchema(rehearsalAnswer) as Schema,
        },
        responses: {
          Unauthenticated: refusal("No token, or an expired or forged one"),
          Forbidden: refusal("It belongs to somebody else, or is only for admins"),
          NotFound: refusal("It does not exist, or the caller may not know that it exists"),
          Refused: refusal(
            "The ledger refuses: the code says why, and `current` is the current state",
          ),
          TooLarge: refusal("The body is larger than the route accepts"),
          KeyReused: refusal("The Idempotency-Key was used before with another request"),
          TooMany: refusal("Too many attempts; Retry-After says how many seconds to wait"),
        },
      },
    },
    defaultValidationErrorResponse: refusal("The request is not valid"),
  });
  return withCommonRefusals(document);
}
