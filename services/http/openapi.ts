// The OpenAPI document, made from the routes themselves: what is validated is what is described.
import type { Hono } from "hono";
import { type GenerateSpecOptions, generateSpecs } from "hono-openapi";
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
    current: { type: "object", description: "What the thing looks like now" },
  },
};

function refusal(description: string) {
  return {
    description,
    content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
  };
}

export type OpenApiDocument = Awaited<ReturnType<typeof generateSpecs>>;

/** The document of every route under `/api`. */
export async function describeApi(app: Hono<AppEnv>): Promise<OpenApiDocument> {
  return generateSpecs(app, {
    documentation: {
      info: {
        title: "Consignment Ledger",
        version: "1",
        description:
          "Amounts are dollars with at most two decimals. Mutations accept an Idempotency-Key and answer " +
          "a Ledger-Position; a read that sends it back sees what was written.",
      },
      components: {
        securitySchemes: { bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" } },
        schemas: { Error: errorSchema },
        responses: {
          Unauthenticated: refusal("No token, or one that is expired or forged"),
          Forbidden: refusal("Somebody else's, or an admin's"),
        },
      },
    },
    defaultValidationErrorResponse: refusal("The request is not valid"),
  });
}
