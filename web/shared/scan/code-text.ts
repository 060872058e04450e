// A code as a keyboard wedge would type it, so that the camera and the scanner find the same item.

/** The kinds of codes that are read, in the names of the browsers' own detectors. */
export const codeFormats = [
  "code_128",
  "code_39",
  "ean_13",
  "ean_8",
  "upc_a",
  "upc_e",
  "qr_code",
  "data_matrix",
] as const;

/** How a UPC-A number (12 digits) is written short where the label has no room for all of it. */
const shortForms = [
  [/^([01]\d\d)([012])0000(\d{3})(\d)$/, "$1$3$2$4"],
  [/^([01]\d{3})00000(\d\d)(\d)$/, "$1$23$3"],
  [/^([01]\d{4})00000(\d)(\d)$/, "$1$24$3"],
  [/^([01]\d{5})0000([5-9])(\d)$/, "$1$2$3"],
] as const;

function shortUpc(upc: string): string {
  const form = shortForms.find(([pattern]) => pattern.test(upc));
  return form === undefined ? upc : upc.replace(form[0], form[1]);
}

/**
 * `format` is a detector's name of it in any spelling ("ean_13", "EAN13"). Some detectors write UPC codes as
 * 13 digits with a zero in front; a scanner types the 12 or 8 that are printed. Answers "" for no text at all.
 */
export function codeText(format: string, rawValue: string): string {
  const kind = format.toLowerCase().replaceAll(/[^a-z0-9]/gu, "");
  // What a field of one line cannot hold, a GS1 separator for example.
  const text = rawValue.replaceAll(/[\p{Cc}\s]+/gu, " ").trim();
  const upc = /^0?(\d{12})$/.exec(text)?.[1];
  if (kind === "upce" && upc !== undefined) {
    return shortUpc(upc);
  }
  const isUpc = kind === "upca" || (kind === "ean13" && text.startsWith("0"));
  return isUpc && upc !== undefined ? upc : text;
}
