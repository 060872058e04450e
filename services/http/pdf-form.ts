// Reads a form with an uploaded PDF: checks the size while it arrives, the fields by a schema, and the file by its content.
import { createHash } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import { resolver, uniqueSymbol } from "hono-openapi";
import { safeParse, type $ZodType } from "zod/v4/core";
import type { Sql } from "#db/connect.ts";
import type { AppEnv, SignedInEnv } from "#http/env.ts";
import { badRequest, HttpError } from "#http/errors.ts";
import { MAX_PDF_BYTES, pdfProblemTexts, problemOfPdf } from "#http/pdf-check.ts";
import { createRateLimits } from "#http/rate-limit.ts";
import { isStorable, readBytes } from "#http/read-body.ts";
import { invalid } from "#http/validate.ts";

/** Space for the other fields and for multipart's headers. */
const MAX_FIELD_BYTES = 65_536;

/** Limits uploads of people who are not admins, because the bytes are stored before the ledger decides. */
const UPLOADS = { attempts: 30, perSeconds: 3_600 };

type FormEnv = AppEnv & { Variables: Pick<SignedInEnv["Variables"], "person"> };
type FormHandler<Output, Input> = MiddlewareHandler<
  FormEnv,
  string,
  { in: { form: Input }; out: { form: Output } }
>;

/**
 * Reads `multipart/form-data` and checks it; `c.req.valid("form")` is then typed. Use `z.strictObject`, and
 * `z.file("…")` for the field with the PDF. Put it after `signedIn`, `self` or `admin`. Throws HttpError: 400 for
 * another content type, a field sent twice, and a file that `problemOfPdf` refuses; 413 above 10 MB; 429 for too
 * many.
 */
export function pdfForm<Output, Input>(
  deps: { readonly sql: Sql; readonly clock: () => Date },
  schema: $ZodType<Output, Input>,
): FormHandler<Output, Input> {
  const uploads = createRateLimits(deps.sql, deps.clock)("uploads", UPLOADS);
  const handler: FormHandler<Output, Input> = async (c, next) => {
    const person = c.get("person");
    if (person.role !== "admin") {
      await uploads.consume(person.uid);
    }
    const sent = fieldsOf(await readForm(c.req.raw));
    const parsed = safeParse(schema, sent);
    if (!parsed.success) {
      throw invalid(parsed.error.issues);
    }
    const said = await Promise.all(
      Object.entries(sent).map(async ([name, value]): Promise<[string, unknown]> =>
        typeof value === "string" ? [name, value] : [name, await checkFile(name, value)],
      ),
    );
    // The request's hash covers the file too: the same key with another file is another request.
    c.set("sentBody", Object.fromEntries(said));
    c.req.addValidatedData("form", Object(parsed.data));
    await next();
  };
  return Object.assign(handler, {
    [uniqueSymbol]: { target: "form", ...resolver(schema, { io: "input" }) },
  });
}

async function readForm(request: Request): Promise<FormData> {
  const type = request.headers.get("content-type");
  if (type === null || !/^multipart\/form-data\s*;/iu.test(type)) {
    throw badRequest("not_multipart", "Send the file as multipart/form-data");
  }
  const bytes = await readBytes(request, MAX_PDF_BYTES + MAX_FIELD_BYTES).catch(
    (error: unknown) => {
      throw error instanceof HttpError && error.status === 413 ? tooLarge() : error;
    },
  );
  try {
    const body = new Uint8Array(bytes);
    return await new Response(body, { headers: { "content-type": type } }).formData();
  } catch {
    throw badRequest("malformed_form", "The body is not a valid form");
  }
}

function fieldsOf(form: FormData): Record<string, string | File> {
  const fields: Record<string, string | File> = Object.create(null);
  for (const [name, value] of form) {
    if (name in fields) {
      throw badRequest("repeated_field", "A field was sent twice", name);
    }
    if (!isStorable(name) || (typeof value === "string" && !isStorable(value))) {
      throw badRequest("invalid_text", "Text must not contain NUL or broken characters");
    }
    fields[name] = value;
  }
  return { ...fields };
}

/** What represents the file in the request's hash. */
async function checkFile(name: string, file: File): Promise<{ readonly sha256: string }> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const problem = await problemOfPdf(bytes);
  if (problem === "file_too_large") {
    throw tooLarge();
  }
  if (problem !== null) {
    throw badRequest(problem, pdfProblemTexts[problem], name);
  }
  return { sha256: createHash("sha256").update(bytes).digest("hex") };
}

function tooLarge(): HttpError {
  return new HttpError(413, "file_too_large", pdfProblemTexts.file_too_large);
}
