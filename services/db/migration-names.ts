// Names migrations in a sentence for an operator: two dozen names in a row say less than the first and the last.

/** `1 migration, 0100_rights`, or `23 migrations, 0073_pictures to 0100_rights`. */
export function migrationNames(names: readonly string[]): string {
  const [first] = names;
  const count = names.length === 1 ? "1 migration" : `${names.length} migrations`;
  return names.length < 2 ? `${count}, ${first}` : `${count}, ${first} to ${names.at(-1)}`;
}
