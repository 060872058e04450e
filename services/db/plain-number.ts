// Tracking numbers are compared without what people type between their letters and digits.

/** The number as `plainNumber` makes it of a column. */
export function plainNumberOf(typed: string): string {
  return typed.replaceAll(/[^A-Za-z0-9]/gu, "").toUpperCase();
}

/** As SQL. The indexes of tracking numbers are of the same expression. */
export function plainNumber(column: `${string}.tracking_number`): string {
  return `upper(regexp_replace(${column}, '[^A-Za-z0-9]', '', 'g'))`;
}
