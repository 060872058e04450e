// A form with an uploaded PDF, which the ledger's events refer to: labels and slips.
import type { $ZodType } from "zod/v4/core";
import type { Sql } from "#db/connect.ts";
import type { FormHandler } from "#http/file-form.ts";
import { fileForm } from "#http/file-form.ts";
import { MAX_PDF_BYTES, pdfProblemTexts, problemOfPdf } from "#http/pdf-check.ts";
import { createRateLimits } from "#http/rate-limit.ts";

/** Limits uploads of people who are not admins, because the bytes are stored before the ledger decides. */
const UPLOADS = { attempts: 30, perSeconds: 3_600 };

/** As `fileForm`, with files that `problemOfPdf` accepts, at most 10 MB each. 429 for too many. */
export function pdfForm<Output, Input>(
  deps: { readonly sql: Sql; readonly clock: () => Date },
  schema: $ZodType<Output, Input>,
): FormHandler<Output, Input> {
  const uploads = createRateLimits(deps.sql, deps.clock)("uploads", UPLOADS);
  return fileForm(
    {
      maxBytes: MAX_PDF_BYTES,
      tooLarge: pdfProblemTexts.file_too_large,
      async admit({ uid, role }) {
        if (role !== "admin") {
          await uploads.consume(uid);
        }
      },
      async check(bytes) {
        const problem = await problemOfPdf(bytes);
        return problem === null ? null : { code: problem, message: pdfProblemTexts[problem] };
      },
    },
    schema,
  );
}
