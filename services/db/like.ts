// What people type into search fields, as patterns for LIKE: each text stands for itself and nothing else.

/** The text with LIKE's own signs made harmless. */
export function literally(text: string): string {
  return text.replaceAll(/[\\%_]/g, "\\$&");
}

/** A pattern that finds this text anywhere. */
export function containing(text: string): string {
  return `%${literally(text)}%`;
}

/** "lego bonsai" is looked for word by word, and finds "LEGO 10281 Bonsai Tree". */
export function wordsOf(term: string): readonly string[] {
  return term.split(/\s+/u).filter((word) => word !== "");
}
