// How people are searched: by name, username and email, with or without accents.

/** What a row of `identity.profiles` is searched by; the index `profiles_words` has it. Compared with `asSearched`. */
export function wordsOfPerson(alias: "c" | "l" | "p"): string {
  return `log.searchable(coalesce(${alias}.display_name, '') || ' ' || coalesce(${alias}.username, '') || ' '
    || coalesce(${alias}.email, ''))`;
}
