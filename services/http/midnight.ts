// When a day of the store begins, as SQL, also where the clocks go back at midnight.
import type { RawBuilder } from "kysely";
import { sql } from "kysely";

/**
 * The first instant of a date in a time zone. Where the clocks go back at midnight or at one, 00:00 comes twice, and
 * PostgreSQL takes the second; the minute before comes once.
 */
export function midnight(date: RawBuilder<unknown>, zone: RawBuilder<unknown>): RawBuilder<Date> {
  return sql<Date>`(((${date})::timestamp - interval '1 minute') at time zone ${zone} + interval '1 minute')`;
}
