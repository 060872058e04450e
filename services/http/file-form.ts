// Reads a form with an uploaded file: checks the size while it arrives, the fields by a schema, and the file by its content.
import { createHash } from "node:crypto";
import { MIMEType } from "node:util";
import type { MiddlewareHandler } from "hono";
import { resolver, uniqueSymbol } from "hono-openapi";
import { safeParse, type $ZodType } from "zod/v4/core";
import type { AppEnv, Person, SignedInEnv } from "#http/env.ts";
import { badRequest, HttpError } from "#http/errors.ts";
import { isForm, isStorable, readBytes } from "#http/read-body.ts";
import { invalid } from "#http/validate.ts";

/** Space for the other fields and for multipart's headers. */
const MAX_FIELD_BYTES = 65_536;

/** More than any form here has, with the mark at its end. */
const MAX_PARTS = 50;

type FormEnv = AppEnv & { Variables: Pick<SignedInEnv["Variables"], "person"> };
export type FormHandler<Output, Input> = MiddlewareHandler<
  FormEnv,
  string,
  { in: { form: Input }; out: { form: Output } }
>;

/** Why a file is refused: a stable code and a sentence for a person. */
export type FileProblem = { readonly code: string; readonly message: string };

export type FileRules = {
  readonly maxBytes: number;
  /** The sentence of 413 `file_too_large`. */
  readonly tooLarge: string;
  /** Looks at the file's bytes; null if they are fine. */
  readonly check: (bytes: Uint8Array) => Promise<FileProblem | null>;
  /** Throws HttpError before anything is read, for example after too many uploads. */
  readonly admit?: (person: Person) => Promise<void>;
};

/**
 * Reads `multipart/form-data` and checks it; `c.req.valid("form")` is then typed. Use `z.strictObject`, and
 * `z.file("…")` for the field with the file. Put it after `signedIn`, `self` or `admin`. Throws HttpError: 400 for
 * another content type, a field sent twice, and a file that the rules refuse; 413 above `maxBytes`.
 */
export function fileForm<Output, Input>(
  rules: FileRules,
  schema: $ZodType<Output, Input>,
): FormHandler<Output, Input> {
  const handler: FormHandler<Output, Input> = async (c, next) => {
    await rules.admit?.(c.get("person"));
    const sent = fieldsOf(await readForm(c.req.raw, rules));
    const parsed = safeParse(schema, sent);
    if (!parsed.success) {
      throw invalid(parsed.error.issues);
    }
    const said = await Promise.all(
      Object.entries(sent).map(async ([name, value]): Promise<[string, unknown]> =>
        typeof value === "string" ? [name, value] : [name, await checkFile(name, value, rules)],
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

async function readForm(request: Request, rules: FileRules): Promise<FormData> {
  const type = request.headers.get("content-type");
  if (type === null || !isForm(type)) {
    throw badRequest("not_multipart", "Send the file as multipart/form-data");
  }
  const bytes = await readBytes(request, rules.maxBytes + MAX_FIELD_BYTES).catch(
    (error: unknown) => {
      throw error instanceof HttpError && error.status === 413 ? tooLarge(rules) : error;
    },
  );
  const boundary = boundaryOf(type);
  refuseManyParts(bytes, boundary);
  try {
    const body = new Uint8Array(bytes);
    // Not the type as it was sent: in a list of types, the parser takes another one than was looked at here.
    const read = `multipart/form-data; boundary="${boundary}"`;
    return await new Response(body, { headers: { "content-type": read } }).formData();
  } catch {
    throw badRequest("malformed_form", "The body is not a valid form");
  }
}

/** As RFC 2046 has it: nothing in it needs to be escaped. */
const BOUNDARY = /^[\w'()+,\-./:=? ]{0,69}[\w'()+,\-./:=?]$/u;

/** What separates the parts of a form of this content type. Throws 400 `malformed_form` for a type that names nothing. */
function boundaryOf(type: string): string {
  let boundary: string | null = null;
  try {
    boundary = new MIMEType(type).params.get("boundary");
  } catch {
    // As without one.
  }
  if (boundary === null || !BOUNDARY.test(boundary)) {
    throw badRequest("malformed_form", "The body is not a valid form");
  }
  return boundary;
}

/**
 * Counted before the form is parsed: the parser takes seconds for a hundred thousand parts, in which nobody else is
 * answered. The beginning of a part cannot be within one, so each counts, wherever it is.
 */
function refuseManyParts(bytes: Uint8Array, boundary: string): void {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const beginning = `--${boundary}`;
  let parts = 0;
  for (let at = body.indexOf(beginning); at !== -1; at = body.indexOf(beginning, at + 1)) {
    parts += 1;
    if (parts > MAX_PARTS) {
      throw badRequest("too_many_fields", "The form has more fields than it may have");
    }
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
async function checkFile(
  name: string,
  file: File,
  rules: FileRules,
): Promise<{ readonly sha256: string }> {
  if (file.size > rules.maxBytes) {
    throw tooLarge(rules);
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  const problem = await rules.check(bytes);
  if (problem !== null) {
    throw badRequest(problem.code, problem.message, name);
  }
  return { sha256: createHash("sha256").update(bytes).digest("hex") };
}

function tooLarge(rules: FileRules): HttpError {
  return new HttpError(413, "file_too_large", rules.tooLarge);
}
