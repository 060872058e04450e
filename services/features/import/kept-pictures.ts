// Which pictures of a file this store keeps: its own export names them by their addresses.
import type { Sql } from "#db/connect.ts";
import { textArray } from "#ledger/log/encode.ts";
import { storedImageId } from "#ledger/fields.ts";

/** The addresses of pictures that items have, or had. A photo that was uploaded and never saved does not count. */
export async function findKeptPictures(
  sql: Sql,
  addresses: Iterable<string>,
): Promise<ReadonlySet<string>> {
  const byId = new Map(
    [...addresses].flatMap((address) => {
      const id = storedImageId(address);
      return id === null ? [] : [[id, address] as const];
    }),
  );
  if (byId.size === 0) {
    return new Set();
  }
  const rows = await sql<{ id: string }[]>`
    select id from files.images
    where id = any(${textArray([...byId.keys()])}::uuid[]) and kept_at is not null`;
  return new Set(rows.flatMap(({ id }) => byId.get(id) ?? []));
}
