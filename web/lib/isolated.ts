// Keeps the direction of what people typed apart from the text around it.

/** What people typed, in a line of other text: a name written from right to left does not reorder what is beside it. Elements have `bdi`. */
export function isolated(text: string): string {
  return `\u2068${text}\u2069`;
}

/** A Hebrew or Arabic word, with those that follow it. */
const backwards = /[\p{scx=Hebr}\p{scx=Arab}]+(?:[ .'’-]+[\p{scx=Hebr}\p{scx=Arab}]+)*/gu;

/**
 * A sentence or label that may contain names, which do not reorder the numbers and words after them. A name that was
 * stored before characters that set the direction were refused loses them, because where it ends is not known here.
 */
export function withIsolatedNames(sentence: string): string {
  return sentence.replaceAll(/\p{Bidi_Control}/gu, "").replaceAll(backwards, isolated);
}
