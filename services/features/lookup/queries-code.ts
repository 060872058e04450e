// Finds everything that has exactly this code: one statement, in which each part is a look-up in an index.
import { sql } from "kysely";
import { plainNumber } from "#db/plain-number.ts";
import { inventoryItemsTable } from "#features/inventory/projection.ts";
import type { CodeForms } from "#features/lookup/code-forms.ts";
import { asThing, MOST, type ThingRow } from "#features/lookup/found-rows.ts";
import { salesTable } from "#features/sales/projection.ts";
import { shipmentsTable } from "#features/shipments/projection.ts";
import { tradesTable } from "#features/trades/projection.ts";
import type { Reads } from "#http/reads.ts";
import { nameOfTable } from "#http/reads.ts";
import { statement, type ValueOf } from "#http/statement.ts";
import { textArray } from "#ledger/log/encode.ts";
import type { IdRange } from "#ledger/uuid.ts";

type Values = {
  readonly code: string;
  readonly barcodes: string;
  readonly trackingNumbers: string;
  readonly idFrom: string;
  readonly idTo: string;
  readonly receiptFrom: string;
  readonly receiptTo: string;
  /** Null for an admin, who finds everything. */
  readonly owner: string | null;
};

// No usernames: people choose them, and could choose a barcode. Anybody can also submit shipments with the number of
// another person's parcel, so each sender's oldest one comes before anybody's second.
const findByCode = statement((_reads, value: ValueOf<Values>) => {
  const isTheirs = (column: string) =>
    sql`(${value("owner")}::text is null or ${sql.ref(column)} = ${value("owner")})`;
  const isOfId = (column: string) =>
    sql`${sql.ref(column)} between ${value("idFrom")}::uuid and ${value("idTo")}::uuid`;
  const isNumber = (column: Parameters<typeof plainNumber>[0]) =>
    sql`${sql.raw(plainNumber(column))} = any (${value("trackingNumbers")}::text[])`;
  return sql<ThingRow>`
    (select ${asThing.item} from ${nameOfTable(inventoryItemsTable)} i
      where not i.archived and ${isTheirs("i.owner_uid")} and (i.barcode1 = any (${value("barcodes")}::text[])
        or i.barcode2 = any (${value("barcodes")}::text[]) or ${isOfId("i.id")})
      order by i.out_of_stock, i.added_position desc limit ${sql.lit(MOST + 1)})
    union all
    (select ${asThing.sale} from ${nameOfTable(salesTable)} s
      where ${isTheirs("s.consignor_id")} and (${isOfId("s.sale_id")}
        or s.receipt_id between ${value("receiptFrom")}::uuid and ${value("receiptTo")}::uuid)
      order by s.position limit ${sql.lit(MOST + 1)})
    union all
    (select ${asThing.consignor} from identity.profiles p
      where ${value("owner")}::text is null and p.deactivated_at is null
        and (p.uid = ${value("code")} or upper(right(p.uid, 8)) = upper(${value("code")}::text)
          or lower(p.email) = lower(${value("code")}::text))
      order by p.uid limit ${sql.lit(MOST + 1)})
    union all
    (select ${asThing.trade} from ${nameOfTable(tradesTable)} t
      where ${isTheirs("t.buyer_uid")} and (${isOfId("t.trade_id")} or t.label_id = any (array(
        select l.id from identity.trade_labels l where ${isNumber("l.tracking_number")})))
      order by t.position desc limit ${sql.lit(MOST + 1)})
    union all
    (select ${asThing.shipment} from ${nameOfTable(shipmentsTable)} s
      left join identity.shipment_texts x on x.id = s.text_id
      where not s.deleted and ${isTheirs("s.consignor_uid")} and (${isOfId("s.shipment_id")} or s.text_id = any (array(
        select n.id from identity.shipment_texts n where ${isNumber("n.tracking_number")})))
      order by row_number() over (partition by s.consignor_uid order by s.position), s.position
      limit ${sql.lit(MOST + 1)})`;
});

/** No id is between these two. */
const noIds: IdRange = {
  from: "ffffffff-ffff-ffff-ffff-ffffffffffff",
  to: "00000000-0000-0000-0000-000000000000",
};

/** What has this code, one more of each kind than is answered; of one owner only, if one is given. */
export function rowsOfCode(
  reads: Reads,
  code: string,
  { barcodes, trackingNumbers, ids, receipts }: CodeForms,
  owner: string | null,
): Promise<readonly ThingRow[]> {
  const { from, to } = ids ?? noIds;
  const ofReceipts = receipts ?? noIds;
  return findByCode(reads, {
    code,
    barcodes: textArray(barcodes),
    trackingNumbers: textArray(trackingNumbers),
    idFrom: from,
    idTo: to,
    receiptFrom: ofReceipts.from,
    receiptTo: ofReceipts.to,
    owner,
  });
}
