// The search for shipments: filters, sorting and paging as SQL.
import type { Expression, SqlBool } from "kysely";
import { sql } from "kysely";
import * as z from "zod/mini";
import { asSearched, containing } from "#db/like.ts";
import { plainNumber, plainNumberOf } from "#db/plain-number.ts";
import { wordsOfPerson } from "#identity/people-search.ts";
import type { Reads } from "#http/reads.ts";
import { withTables } from "#http/reads.ts";
import { cursorOf, placeIn, placeText } from "#http/list-place.ts";
import { inventoryItemsTable } from "#features/inventory/projection.ts";
import {
  isOnItsWay,
  lacksLabel,
  waitsForIntake,
  waitsForLabel,
} from "#features/shipments/conditions.ts";
import type { ShipmentSort, ShipmentTab } from "#features/shipments/contract.ts";
import { shipmentItemsTable, shipmentsTable } from "#features/shipments/projection.ts";

const inShipments = withTables(shipmentsTable, shipmentItemsTable, inventoryItemsTable);

export type ShipmentFilters = {
  readonly tab: ShipmentTab | undefined;
  readonly q: string | undefined;
  /** Only this consignor's. */
  readonly uid: string | undefined;
  /** Without a tab: also those with both flags. */
  readonly showCompleted: boolean;
  /** Only admins search people's names. */
  readonly searchesNames: boolean;
};

export type ShipmentPage = {
  /** Without it newest first, whatever `order` says. */
  readonly sort: ShipmentSort | undefined;
  readonly order: "asc" | "desc";
  /** The place of the last shipment on the page before. */
  readonly cursor: string | undefined;
  readonly limit: number;
};

const consignorName = nameOr(sql`coalesce(c.email, c.uid)`);
/** What the consignor reads: never an email. */
const publicName = nameOr(sql`'Consignor ' || upper(right(c.uid, 8))`);

function nameOr(instead: Expression<unknown>) {
  return sql<string | null>`case when c.uid is null then null
    when c.deactivated_at is not null then 'Deleted user'
    else coalesce(c.display_name, c.username, ${instead}) end`;
}

/** Of a shipment `s`, its text `t` and its consignor's profile `c`. */
const keys: Readonly<Record<ShipmentSort, Expression<string | number>>> = {
  date: sql.ref<number>("s.position"),
  consignor: sql`coalesce(lower(${consignorName}), '') collate "C"`,
  carrier: sql`coalesce(s.carrier, '')`,
  // Waiting for its label, on its way, delivered, processed.
  status: sql<number>`case when s.processed_at is not null then 3 when s.delivered_at is not null then 2
    when ${lacksLabel} then 0 else 1 end`,
  units: sql`coalesce(s.received_units, s.declared_units, 0)`,
};

const isOfText = (sort: ShipmentSort) => sort === "consignor" || sort === "carrier";

/** The place of a page's last shipment: its sort key and its position. */
const placeOf = (sort: ShipmentSort) => z.tuple([isOfText(sort) ? placeText : z.int(), z.int()]);

const tabs: Readonly<Record<ShipmentTab, Expression<SqlBool>>> = {
  in_transit: isOnItsWay,
  to_process: waitsForIntake,
  label: waitsForLabel,
  done: sql`s.processed_at is not null`,
};

const isOpen = sql<SqlBool>`(s.delivered_at is null or s.processed_at is null)`;

function everyShipment(reads: Reads) {
  return inShipments(reads)
    .selectFrom("read.shipments as s")
    .leftJoin("identity.shipment_texts as t", "t.id", "s.text_id")
    .leftJoin("identity.profiles as c", "c.uid", "s.consignor_uid");
}

function contains(term: string, searchesNames: boolean): Expression<SqlBool> {
  const anywhere = containing(asSearched(term));
  const plain = plainNumberOf(term);
  const names = searchesNames ? sql`or ${sql.raw(wordsOfPerson("c"))} like ${anywhere}` : sql``;
  // People type numbers with or without spaces.
  const number =
    plain === ""
      ? sql``
      : sql`or ${sql.raw(plainNumber("t.tracking_number"))} like ${`%${plain}%`}
          or upper(s.shipment_id::text) like ${`${plain}%`}`;
  return sql<SqlBool>`(log.searchable(coalesce(t.tracking_number, '') || ' ' || coalesce(t.carrier_name, '') || ' '
    || coalesce(t.contents, '') || ' ' || coalesce(s.carrier, '')) like ${anywhere} ${number} ${names})`;
}

function matching(reads: Reads, filters: ShipmentFilters) {
  const { tab, q, uid, showCompleted, searchesNames } = filters;
  let found = everyShipment(reads).where("s.deleted", "=", false);
  if (uid !== undefined) {
    found = found.where("s.consignor_uid", "=", uid);
  }
  if (tab !== undefined) {
    found = found.where(tabs[tab]);
  } else if (!showCompleted) {
    found = found.where(isOpen);
  }
  return q === undefined || q === "" ? found : found.where(contains(q, searchesNames));
}

/** Units taken in from shipment `s`. */
const intake = sql<number>`(
  select coalesce(sum(i.units), 0)::bigint from read.shipment_items i where i.shipment_id = s.shipment_id)`;

/** Which of the boxes that were announced together shipment `s` is, and how many there are. Deleted ones do not count. */
const boxes = sql<{ readonly nth: number; readonly of: number }>`(
  select json_build_object('nth', count(*) filter (where b.position <= s.position), 'of', count(*))
  from read.shipments b
  where b.first_box_id = s.first_box_id and not b.deleted
    and b.consignor_uid is not distinct from s.consignor_uid)`;

function withColumns(reads: Reads, filters: ShipmentFilters) {
  const isOwnList = filters.uid !== undefined && !filters.searchesNames;
  const name = isOwnList ? publicName : consignorName;
  return matching(reads, filters)
    .leftJoin("identity.notes as n", "n.id", "s.note_id")
    .select([
      "s.shipment_id",
      "s.consignor_uid",
      "s.text_id",
      "s.carrier",
      "s.declared_units",
      "s.needs_label",
      "s.label_id",
      "s.delivered_at",
      "s.processed_at",
      "s.received_units",
      "s.refused_units",
      "s.submitted_at",
      "s.position",
      "t.carrier_name",
      "t.tracking_number",
      "t.contents",
      "c.username",
      "n.text as reason",
    ])
    .select([name.as("consignor_name"), intake.as("intake_units"), boxes.as("boxes")]);
}

export type ShipmentRow = NonNullable<Awaited<ReturnType<typeof findShipmentRow>>>;

type Page = { readonly rows: readonly ShipmentRow[]; readonly nextCursor: string | null };

export async function searchShipments(
  reads: Reads,
  filters: ShipmentFilters,
  page: ShipmentPage,
): Promise<Page> {
  const { cursor, limit, sort = "date" } = page;
  const order = page.sort === undefined ? "desc" : page.order;
  const key = keys[sort];
  let found = withColumns(reads, filters).select(sql<string | number>`${key}`.as("sort_key"));
  if (cursor !== undefined) {
    const [last, position] = placeIn(cursor, placeOf(sort));
    const behind = order === "asc" ? sql`>` : sql`<`;
    const type = isOfText(sort) ? sql`text` : sql`bigint`;
    found =
      sort === "date"
        ? found.where("s.position", order === "asc" ? ">" : "<", position)
        : found.where(
            sql<SqlBool>`(${key}, s.position) ${behind} (${String(last)}::text::${type}, ${position}::bigint)`,
          );
  }
  const rows = await found
    .orderBy(key, order)
    .orderBy("s.position", order)
    .limit(limit + 1)
    .execute();
  const shown = rows.slice(0, limit);
  const end = rows.length > limit ? shown.at(-1) : undefined;
  const nextCursor = end === undefined ? null : cursorOf([end.sort_key, end.position]);
  return { rows: shown, nextCursor };
}

/** A shipment that is not deleted; with `uid`, only if it is that person's. */
export function findShipmentRow(reads: Reads, shipmentId: string, uid: string | undefined) {
  const filters = { tab: undefined, q: undefined, uid, showCompleted: true, searchesNames: false };
  return withColumns(reads, filters).where("s.shipment_id", "=", shipmentId).executeTakeFirst();
}

/** Counts of all shipments, or of one person's. */
export function countShipments(reads: Reads, uid: string | undefined) {
  const countOf = (condition: Expression<SqlBool>) =>
    sql<number>`count(*) filter (where ${condition})`;
  let all = inShipments(reads)
    .selectFrom("read.shipments as s")
    .select([
      countOf(tabs.in_transit).as("inTransit"),
      countOf(tabs.to_process).as("toProcess"),
      countOf(tabs.label).as("labelsRequested"),
      countOf(tabs.done).as("done"),
      countOf(sql`not ${isOpen}`).as("completed"),
    ])
    .where("s.deleted", "=", false);
  if (uid !== undefined) {
    all = all.where("s.consignor_uid", "=", uid);
  }
  return all.executeTakeFirstOrThrow();
}

const MAX_ITEMS = 1_000;

/** The items taken in from a shipment, last first. */
export function itemsOfShipment(reads: Reads, shipmentId: string) {
  return inShipments(reads)
    .selectFrom("read.shipment_items as i")
    .innerJoin("read.inventory_items as v", "v.id", "i.item_id")
    .select(["i.item_id", "i.units", "v.item_name", "v.barcode1"])
    .where("i.shipment_id", "=", shipmentId)
    .orderBy("i.position", "desc")
    .limit(MAX_ITEMS)
    .execute();
}
