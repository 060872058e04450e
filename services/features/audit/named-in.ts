// Which people and things an event's data names, by the names of its fields. Pure.
import type { ThingKind } from "#features/audit/contract.ts";

/** An event's data as fields; empty if it cannot be read. */
export type Fields = Readonly<Record<string, unknown>>;

export function textField(fields: Fields, name: string): string | null {
  const value = fields[name];
  return typeof value === "string" ? value : null;
}

/** The item's name as the event has it. */
export function itemNameIn(fields: Fields): string | null {
  return textField(fields, "itemName") ?? textField(Object(fields["after"]) as Fields, "itemName");
}

/** The ids of the things an event names, the one it is about first. */
export function thingsIn(
  fields: Fields,
): readonly { readonly kind: ThingKind; readonly id: string }[] {
  const kinds = ["sale", "payout", "trade", "item", "shipment"] as const;
  return kinds.flatMap((kind) => {
    const id = textField(fields, `${kind}Id`);
    return id === null ? [] : [{ kind, id }];
  });
}

const THING_FIELD = /^(?:[a-z]\w*?)?(sale|payout|trade|item|shipment)Ids?$/iu;
const PERSON_FIELD = /^(?:consignorId|uid|\w+Uid)$/u;

/** Whether a field of this name contains a person's uid. */
export function isPersonField(field: string): boolean {
  return PERSON_FIELD.test(field);
}

/** Every text in a field, also of the parts of a list: of an offer's rows, of a trade's payments. */
function textsIn(value: unknown, name = ""): readonly (readonly [name: string, text: string])[] {
  if (typeof value === "string") {
    return [[name, value]];
  }
  if (Array.isArray(value)) {
    return value.flatMap((one: unknown) => textsIn(one, name));
  }
  return typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([field, one]: [string, unknown]) => textsIn(one, field))
    : [];
}

function eachOnce(ids: readonly string[]): readonly string[] {
  return [...new Set(ids)];
}

/** The ids of all things of a kind that an event names anywhere, the one it is about first. */
export function allThingsIn(fields: Fields, kind: ThingKind): readonly string[] {
  const first = thingsIn(fields).flatMap((thing) => (thing.kind === kind ? [thing.id] : []));
  const named = textsIn(fields).flatMap(([field, id]) =>
    THING_FIELD.exec(field)?.[1]?.toLowerCase() === kind ? [id] : [],
  );
  return eachOnce([...first, ...named]);
}

/** Everybody whom an event names, whom it touches first before the others. */
export function peopleIn(fields: Fields): readonly string[] {
  const named = textsIn(fields).flatMap(([field, uid]) => (isPersonField(field) ? [uid] : []));
  return eachOnce([whomIn(fields) ?? "", ...named]).filter((uid) => uid !== "");
}

/** Whom an event touches first. */
export function whomIn(fields: Fields): string | null {
  return ["consignorId", "ownerUid", "buyerUid", "uid"].reduce<string | null>(
    (found, name) => found ?? textField(fields, name),
    null,
  );
}
