// What must be true of the pictures that events name by their ids: part of `npm run verify`.
import { inventoryItemsTable } from "#features/inventory/projection.ts";
import type { BookCheck } from "#ledger/verify/book-checks.ts";

const items = `read.${inventoryItemsTable.name}`;

const firstItem = (id: string) => `
  coalesce((select max(i.updated_position) from ${items} i where i.image_url = '/api/images/' || ${id}), 0)`;

/** As `pictureId` of `#http/stored-images.ts` makes it; a test compares both. */
const digest = `encode(sha256(uuid_send(p.salt)
  || convert_to(concat_ws(' ', p.media_type, coalesce(p.thumbnail_type, 'none'), octet_length(p.image)) || E'\\n', 'UTF8')
  || p.image || coalesce(p.thumbnail, '')), 'hex')`;

export const imageChecks: readonly BookCheck[] = [
  {
    check: "pictures",
    readsFrom: ["inventory"],
    // Ids of this form follow from the bytes; a salt that was removed does not make one of them an older id.
    sql: `
      select ${firstItem("p.id::text")} as position,
        'files.images, row ' || p.id || ': is not the picture that was stored under this id' as message
      from files.images p
      where substr(p.id::text, 15, 1) = '8' and substr(p.id::text, 20, 1) = 'b'
        and replace(p.id::text, '-', '') is distinct from (
          select substr(d, 1, 12) || '8' || substr(d, 14, 3) || 'b' || substr(d, 18, 15)
          from (select ${digest} as d) as hex)
      order by 1, 2 limit 100`,
  },
  {
    check: "pictures",
    readsFrom: ["inventory"],
    sql: `
      select i.updated_position as position,
        'files.images has no row ' || substr(i.image_url, 13) || ', which item ' || i.id || ' shows' as message
      from ${items} i
      where i.image_url ~ '^/api/images/[0-9a-f-]{36}$' and not exists (
        select from files.images p where p.id = substr(i.image_url, 13)::uuid)
      order by 1, 2 limit 100`,
  },
];
