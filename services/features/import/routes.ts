// The calls with which an admin's browser imports a file of stock: first a preview, then batches of lines.
import { Hono } from "hono";
import { admin } from "#http/access.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { HttpError } from "#http/errors.ts";
import { keepsAnswer } from "#http/keeps-answer.ts";
import { jsonBody } from "#http/validate.ts";
import type { ImportResponse } from "./contract.ts";
import { importCheckResponse, importRequest, importResponse } from "./contract.ts";
import { FileProblem } from "./file-problem.ts";
import { checkRows, importRows } from "./import-rows.ts";

const tag = "inventory";

export function stockImportRoutes({ sql, ledger, clock }: RouteDeps): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  routes.post(
    "/inventory/import/check",
    admin,
    documented({
      summary: "Preview what a file's lines would do",
      tag,
      answer: importCheckResponse,
    }),
    jsonBody(importRequest),
    async (c) => c.json(await whole(checkRows(sql, c.req.valid("json"), clock()))),
  );
  routes.post(
    "/inventory/import",
    admin,
    documented({ summary: "Import lines of a file of stock", tag, answer: importResponse }),
    jsonBody(importRequest),
    keepsAnswer,
    async (c) => {
      const actor = c.var.person.uid;
      const { signal } = c.req.raw;
      const done = await whole(
        importRows({ sql, ledger }, c.req.valid("json"), { actor, now: clock(), signal }),
      );
      // The import stops when the caller disconnects. The same request, sent again, continues with the lines that are left.
      c.set("isUnfinished", signal.aborted);
      const { position, imported, repeated, refused } = done;
      c.header("Ledger-Position", String(position));
      return c.json({
        message: `${imported} ${imported === 1 ? "line" : "lines"} imported`,
        imported,
        repeated,
        refused: [...refused],
      } satisfies ImportResponse);
    },
  );
  return routes;
}

/** A problem with the whole file is a 409: nothing of it was written. */
async function whole<Answer>(work: Promise<Answer>): Promise<Answer> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof FileProblem ? new HttpError(409, "file_refused", error.message) : error;
  }
}
