// The rows of a look-up: every kind of thing in the same columns, and what is answered for each.
import { sql, type RawBuilder } from "kysely";
import type { FoundThing } from "#features/lookup/contract.ts";
import { foundPayoutStatus } from "#features/lookup/contract.ts";
import { shortShipmentId } from "#features/shipments/streams.ts";
import { toDollars } from "#ledger/money.ts";

/** Most things of each kind. */
export const MOST = 12;

export type ThingRow = {
  readonly kind: FoundThing["kind"];
  readonly id: string;
  readonly name: string;
  /** A barcode, a tracking number or an email. */
  readonly code: string | null;
  readonly place: string | null;
  readonly units: number;
  readonly cents: number | null;
  readonly at: Date | null;
  /** Owner, consignor, buyer or sender. */
  readonly uid: string | null;
};

/** At most MOST of each kind, and whether any were left out. */
export function firstOfEachKind(rows: readonly ThingRow[]): {
  readonly shown: readonly ThingRow[];
  readonly hasMore: boolean;
} {
  const shown = Array.from(Map.groupBy(rows, ({ kind }) => kind).values()).flatMap((ofKind) =>
    ofKind.slice(0, MOST),
  );
  return { shown, hasMore: shown.length < rows.length };
}

type Columns = Omit<Record<keyof ThingRow, string>, "kind">;

function columnsFor(kind: ThingRow["kind"], columns: Columns): RawBuilder<unknown> {
  const { id, name, code, place, units, cents, at, uid } = columns;
  return sql.raw(
    `'${kind}' as kind, ${id} as id, ${name} as name, ${code} as code, ${place} as place, ${units} as units,
      ${cents} as cents, ${at} as at, ${uid} as uid`,
  );
}

const nothing = {
  code: "null::text",
  place: "null::text",
  units: "0::bigint",
  cents: "null::bigint",
  at: "null::timestamptz",
};

/** The columns of each kind: of item `i`, sale `s`, profile `p`, trade `t`, shipment `s` with its text `x`, and payout `o`. */
export const asThing: Readonly<Record<ThingRow["kind"], RawBuilder<unknown>>> = {
  item: columnsFor("item", {
    ...nothing,
    id: "i.id::text",
    name: "i.item_name",
    code: "i.barcode1",
    place: "i.location",
    units: "i.quantity",
    uid: "i.owner_uid",
  }),
  sale: columnsFor("sale", {
    ...nothing,
    id: "s.sale_id::text",
    name: "s.item_name",
    units: "s.units",
    cents: "s.price_cents",
    at: "s.sold_at",
    uid: "s.consignor_id",
  }),
  consignor: columnsFor("consignor", {
    ...nothing,
    id: "p.uid",
    name: "''",
    code: "p.email",
    uid: "p.uid",
  }),
  trade: columnsFor("trade", {
    ...nothing,
    id: "t.trade_id::text",
    name: "t.item_name",
    units: "t.quantity",
    uid: "t.buyer_uid",
  }),
  shipment: columnsFor("shipment", {
    ...nothing,
    id: "s.shipment_id::text",
    name: "''",
    code: "x.tracking_number",
    uid: "s.consignor_uid",
  }),
  payout: columnsFor("payout", {
    ...nothing,
    id: "o.payout_id::text",
    name: "o.status",
    cents: "o.amount_cents",
    at: "o.requested_at",
    uid: "o.consignor_uid",
  }),
};

/** `nameOf` is left out for consignors: all they find is theirs. */
export function thingOf(row: ThingRow, nameOf?: (uid: string) => string): FoundThing {
  const { kind, id } = row;
  const person = row.uid === null ? null : (nameOf?.(row.uid) ?? null);
  switch (kind) {
    case "item": {
      const item = { itemName: row.name, barcode1: row.code ?? "", location: row.place ?? "" };
      return {
        kind,
        id,
        ...item,
        quantity: row.units,
        consignorID: row.uid,
        consignorName: person,
      };
    }
    case "sale": {
      const price = row.cents === null ? null : toDollars(row.cents);
      const soldAt = row.at?.toISOString() ?? "";
      return {
        kind,
        id,
        itemName: row.name,
        quantity: row.units,
        price,
        soldAt,
        consignorName: person,
      };
    }
    case "consignor": {
      return { kind, id, name: person ?? id, email: row.code };
    }
    case "trade": {
      return { kind, id, itemName: row.name, quantity: row.units, buyerName: person };
    }
    case "payout": {
      return {
        kind,
        id,
        amount: toDollars(row.cents ?? 0),
        requestedAt: row.at?.toISOString() ?? "",
        status: foundPayoutStatus.parse(row.name),
        consignorName: person,
      };
    }
    default: {
      const shortId = shortShipmentId(id);
      return { kind, id, shortId, trackingNumber: row.code, consignorName: person };
    }
  }
}
