// Turns what people type into search fields into patterns for LIKE, in which every character is literal.

/** The text with LIKE's special characters escaped. */
export function literally(text: string): string {
  return text.replaceAll(/[\\%_]/g, "\\$&");
}

/** A pattern that finds this text anywhere. */
export function containing(text: string): string {
  return `%${literally(text)}%`;
}

/** As `log.searchable` leaves a text, except that letters stay large or small: "Pokémon" is "Pokemon". */
export function withoutAccents(text: string): string {
  return text.normalize("NFD").replaceAll(/[\u0300-\u036F]/gu, "");
}

/** The text as `log.searchable` keeps it. */
export function asSearched(text: string): string {
  return withoutAccents(text).toLowerCase();
}

/** The words to look for in a search column, one pattern each: "lego bonsai" finds "LEGO 10281 Bonsai Tree". */
export function wordsOf(term: string): readonly string[] {
  return withoutAccents(term)
    .split(/\s+/u)
    .filter((word) => word !== "");
}
