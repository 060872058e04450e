// Reads one text field of many events of one type: in SQL from those of the current version, from the upcast data of older ones.
import type { EventDefinition } from "#ledger/event.ts";
import type { ReadEvent, StoredFact } from "#ledger/log/read-event.ts";
import { fieldsOf } from "#ledger/log/read-event.ts";

/** SQL of the columns `field` and `older`, over a row of log.events of this type. */
export function fieldColumns<Data>(
  { schemaVersion }: EventDefinition<string, Data>,
  field: keyof Data & string,
): { readonly field: string; readonly older: string } {
  return {
    field: `case when schema_version = ${schemaVersion} then data ->> '${field}' end`,
    older: `case when schema_version <> ${schemaVersion} then data end`,
  };
}

/** The field's text from a row with these columns; null if it has none or cannot be read. */
export function readField(
  row: Omit<StoredFact, "data"> & { readonly field: string | null; readonly older: unknown },
  name: string,
  readEvent: ReadEvent,
): string | null {
  if (row.older === null) {
    return row.field;
  }
  const found = fieldsOf(readEvent({ ...row, data: row.older }))[name];
  return typeof found === "string" ? found : null;
}
