// Turns what people type into search fields into patterns for LIKE, in which every character is literal.

/** The text with LIKE's special characters escaped. */
export function literally(text: string): string {
  return text.replaceAll(/[\\%_]/g, "\\$&");
}

/** A pattern that finds this text anywhere. */
export function containing(text: string): string {
  return `%${literally(text)}%`;
}

/** One pattern per word: "lego bonsai" finds "LEGO 10281 Bonsai Tree". */
export function wordsOf(term: string): readonly string[] {
  return term.split(/\s+/u).filter((word) => word !== "");
}
