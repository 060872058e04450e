// Changes of what the till leaves behind: counted days, tenders, receipts, tag prices, and sums of sales.
import type { Change, Facts } from "./change.ts";
import { at, atOrNamed, bySql, named } from "./change.ts";

const ofSale = ({ sale }: Facts) => atOrNamed(sale.position, sale.saleId);
const ofRefund = ({ refund }: Facts) => atOrNamed(refund.position, refund.saleId);
const ofItem = ({ item }: Facts) => named(item.itemId);
const ofTill = ({ till }: Facts) => atOrNamed(till.position, till.day);
const ofSums = () => named("read.sales_sums", "sales_sums");

export const tillChanges: readonly Change[] = [
  bySql(
    "the count of a till day, in its event",
    ({ till }) => `
      update log.events set data = jsonb_set(data, '{countedCents}', '1') where position = ${till.position}`,
    ({ till }) => at(till.position),
  ),
  bySql(
    "the count of a till day",
    ({ till }) => `
      update read.till_closings set counted_cents = counted_cents - 500 where position = ${till.position}`,
    ofTill,
  ),
  bySql(
    "the payments of a till day",
    ({ till }) => `
      update read.till_closings set payments = '[]' where position = ${till.position}`,
    ofTill,
  ),
  bySql(
    "a deleted till day",
    ({ till }) => `delete from read.till_closings where position = ${till.position}`,
    ofTill,
  ),
  bySql(
    "a till day that nobody counted",
    ({ till }) => `
      create temporary table more as select * from read.till_closings where position = ${till.position};
      update more set day = '2020-01-01', position = position - 1;
      insert into read.till_closings select * from more`,
    () => named("2020-01-01"),
  ),
  bySql(
    "the note of a till day",
    ({ till }) =>
      `update identity.notes set text = 'Counted three times' where id = '${till.noteId}'`,
    ({ till }) => at(till.position),
  ),
  bySql(
    "a note that no event names",
    () => `
      insert into identity.notes (id, text) values ('00000000-0000-8000-9000-000000000001', 'Counted by nobody')`,
    () => named("00000000-0000-8000-9000-000000000001"),
  ),
  bySql(
    "a deleted note of a till day",
    ({ till }) => `delete from identity.notes where id = '${till.noteId}'`,
    ({ till }) => at(till.position),
  ),
  bySql(
    "the number of a tax certificate that was erased",
    ({ erased }) => `
      alter table identity.notes disable trigger user;
      insert into identity.notes (id, text) values ('${erased.noteId}', 'TX-1')`,
    ({ erased }) => at(erased.position),
  ),
  bySql(
    "a sale's tender, in its event",
    ({ sale }) => `
      update log.events set data = jsonb_set(data, '{tender}', '"card"') where position = ${sale.position}`,
    ({ sale }) => at(sale.position),
  ),
  bySql(
    "a sale's tender",
    ({ sale }) => `update read.sales set tender = 'other' where sale_id = '${sale.saleId}'`,
    ofSale,
  ),
  bySql(
    "a sale's receipt",
    ({ sale }) => `
      update read.sales set receipt_id = '00000000-0000-4000-8000-00000000000f' where sale_id = '${sale.saleId}'`,
    ofSale,
  ),
  bySql(
    "a refund's tender",
    ({ refund }) => `
      update read.sale_refunds set tender = 'cash' where position = ${refund.position}`,
    ofRefund,
  ),
  bySql(
    "a tag price",
    ({ item }) => `
      update read.inventory_items set tag_price_cents = tag_price_cents - 1 where id = '${item.itemId}'`,
    ofItem,
  ),
  bySql(
    "since when an item is unsold",
    ({ item }) => `
      update read.inventory_items set unsold_since = unsold_since - interval '90 days' where id = '${item.itemId}'`,
    ofItem,
  ),
  bySql(
    "a sum of a day's sales",
    () => `update read.sales_sums set price_cents = price_cents + 1 where uid = ''`,
    ofSums,
  ),
  bySql(
    "a sum of a consignor's sales",
    ({ consignor }) => `
      update read.sales_sums set payout_cents = payout_cents + 1 where uid = '${consignor.uid}'`,
    ofSums,
  ),
];
