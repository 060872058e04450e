// Keeps the direction of what people typed apart from the text around it. Not in `formats.ts`, which every visitor loads.

/** What people typed, in a line of other text: a name written from right to left does not reorder what is beside it. Elements have `bdi`. */
export function isolated(text: string): string {
  return `\u2068${text}\u2069`;
}
