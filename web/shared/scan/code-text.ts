// A code as a keyboard wedge would type it, so that the camera and the scanner find the same item.

/** The kinds of codes that are read, with the browsers' names for them. */
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

/** How a UPC-A number (12 digits) is shortened on labels without room for all of it. */
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
 * `format` is a detector's name for it in any spelling ("ean_13", "EAN13"). Some detectors write UPC codes as
 * 13 digits with a leading zero; a scanner types the 12 or 8 printed digits. Returns "" if there is no text at all.
 */
export function codeText(format: string, rawValue: string): string {
  const kind = format.toLowerCase().replaceAll(/[^a-z0-9]/gu, "");
  // Removes what a single-line field cannot contain, for example a GS1 separator.
  const text = rawValue.replaceAll(/[\p{Cc}\s]+/gu, " ").trim();
  const upc = /^0?(\d{12})$/.exec(text)?.[1];
  if (kind === "upce" && upc !== undefined) {
    return shortUpc(upc);
  }
  const isUpc = kind === "upca" || (kind === "ean13" && text.startsWith("0"));
  return isUpc && upc !== undefined ? upc : text;
}
