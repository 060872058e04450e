// Keeps the direction of what people typed apart from the text around it. Not in `formats.ts`, which every visitor loads.

/** What people typed, in a line of other text: a name written from right to left does not reorder what is beside it. Elements have `bdi`. */
export function isolated(text: string): string {
  return `\u2068${text}\u2069`;
}

const letters = "[\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc]+";
/** A word written from right to left, with those that follow it. */
const backwards = new RegExp(`${letters}(?:[ .'’-]+${letters})*`, "gu");

/** A sentence that may contain names, which do not reorder the numbers and words after them. */
export function withIsolatedNames(sentence: string): string {
  return sentence.replaceAll(backwards, isolated);
}
