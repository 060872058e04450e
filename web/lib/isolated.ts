// Keeps the direction of what people typed apart from the text around it.

/** What people typed, in a line of other text: a name written from right to left does not reorder what is beside it. Elements have `bdi`. */
export function isolated(text: string): string {
  return `\u2068${text}\u2069`;
}

/** A Hebrew or Arabic word, with those that follow it. */
const backwards = /[\p{scx=Hebr}\p{scx=Arab}]+(?:[ .'’-]+[\p{scx=Hebr}\p{scx=Arab}]+)*/gu;

/** A sentence that may contain names, which do not reorder the numbers and words after them. */
export function withIsolatedNames(sentence: string): string {
  return sentence.replaceAll(backwards, isolated);
}
