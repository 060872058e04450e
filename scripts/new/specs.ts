// Which specs `npm run new` prints: those to run while you work, and the slow ones, which are enough once at the end.

/** Specs that read the whole register, and are quick. */
const always = [
  "services/features.test",
  "services/fingerprints",
  "services/authorization",
  "services/event-fixtures",
] as const;

/** Specs that read every event, or every call. */
export const everyEvent = [
  "services/names",
  "services/contracts",
  "services/explanations",
  "services/older-versions",
  "services/rehearsal",
  "services/book-views",
  "services/db/schema-snapshot",
] as const;

/** Those that move the units of items, and the one that deletes an account while the read tables are behind. */
export const everyItemEvent = [
  ...everyEvent,
  "services/features/inventory/stock.property",
  "services/features/inventory/projection.test",
  "services/features/inventory/take-units",
  "services/features/users/newer-goods",
] as const;

/** Specs that read every table too. The last two damage a row of each. */
export const everyTable = [
  ...everyEvent,
  "services/read-tables",
  "services/standby",
  "services/tables-in-backups",
  "services/proof/prove-books",
  "scripts/tamper/tamper",
] as const;

/** What every recipe leaves that people see. */
export const CHANGELOG = ".github/CHANGELOG.md: a line, if people see it";

/** The last lines of what is left to a person: specs of the recipe's own files, and for the end those of everything. */
export function serverSpecs(
  own: readonly string[],
  atTheEnd: readonly string[],
): readonly string[] {
  return specsToRun([...own, ...always], atTheEnd);
}

export function specsToRun(
  whileYouWork: readonly string[],
  atTheEnd: readonly string[],
): readonly string[] {
  const now = new Set(whileYouWork);
  const later = [...new Set(atTheEnd)].filter((spec) => !now.has(spec));
  return [
    `while you work: \`npm run vitest -- run ${[...now].join(" ")}\``,
    `once at the end of all recipes: \`npm run check\` and \`npm run vitest -- run ${later.join(" ")}\``,
  ];
}
