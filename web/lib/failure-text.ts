// What a form says of a call that failed: also that it may have been carried out although no answer came.
import type { ApiError } from "./api-error.ts";

/** A sent form is repeated under the same key only while nothing in it is changed (`useAction`), so it says that. */
const UNCERTAIN =
  "It may have been recorded all the same. Press again without changing anything: it is not done twice.";

/** `prefix` introduces the server's sentence: "Error adding item". */
export function failureText(prefix: string, error: ApiError): string {
  const said = `${prefix}: ${error.message}`;
  // Without a connection, nothing was sent.
  return error.isUncertain && error.code !== "offline" ? `${said} ${UNCERTAIN}` : said;
}
