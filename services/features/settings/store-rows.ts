// The rows that events of the settings refer to: written with the event, read by id, never changed.
import type { TransactionSql } from "postgres";
import type { Sql } from "#db/connect.ts";
import type { StoreDetails } from "#http/store-facts.ts";
import type { ImageType } from "#http/image-check.ts";

export const NO_DETAILS: StoreDetails = {
  storeName: "",
  returnPolicy: "",
  chatLink: "",
  venmoName: "",
  shippingAddress: { name: "", street: "", city: "", state: "", zip: "", country: "" },
};

type DetailsRow = {
  id: string;
  store_name: string;
  return_policy: string;
  chat_link: string;
  venmo_name: string;
  address_name: string;
  street: string;
  city: string;
  state: string;
  zip: string;
  country: string;
};

export async function writeDetails(
  transaction: TransactionSql,
  id: string,
  details: StoreDetails,
): Promise<void> {
  const { storeName, returnPolicy, chatLink, venmoName, shippingAddress } = details;
  const { name, street, city, state, zip, country } = shippingAddress;
  await transaction`
    insert into store.details (id, store_name, return_policy, chat_link, venmo_name,
      address_name, street, city, state, zip, country)
    values (${id}, ${storeName}, ${returnPolicy}, ${chatLink}, ${venmoName},
      ${name}, ${street}, ${city}, ${state}, ${zip}, ${country})`;
}

/** The versions of the store's details with these ids. */
export async function readDetails(
  sql: Sql,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, StoreDetails>> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) {
    return new Map();
  }
  const rows = await sql<DetailsRow[]>`
    select id, store_name, return_policy, chat_link, venmo_name, address_name, street, city, state, zip, country
    from store.details where id = any(${wanted}::uuid[])`;
  return new Map(rows.map((row) => [row.id, detailsOf(row)]));
}

function detailsOf(row: DetailsRow): StoreDetails {
  const { address_name: name, street, city, state, zip, country } = row;
  return {
    storeName: row.store_name,
    returnPolicy: row.return_policy,
    chatLink: row.chat_link,
    venmoName: row.venmo_name,
    shippingAddress: { name, street, city, state, zip, country },
  };
}

export type Logo = { readonly type: ImageType; readonly bytes: Uint8Array };

export async function writeLogo(
  transaction: TransactionSql,
  id: string,
  { type, bytes }: Logo,
): Promise<void> {
  await transaction`
    insert into store.logos (id, media_type, image) values (${id}, ${type}, ${Buffer.from(bytes)})`;
}

/** Where browsers find an image; null without one. Another logo has another address. */
export function logoAddress(logoId: string | null): string | null {
  return logoId === null ? null : `/api/settings/logo/${logoId}`;
}

export async function readLogo(sql: Sql, id: string): Promise<Logo | undefined> {
  const [row] = await sql<{ media_type: ImageType; image: Buffer }[]>`
    select media_type, image from store.logos where id = ${id}`;
  return row === undefined ? undefined : { type: row.media_type, bytes: row.image };
}

/** Everybody with whom a share was agreed. */
export async function readAgreedShares(
  sql: Sql,
): Promise<{ readonly uid: string; readonly percentage: number }[]> {
  return sql<{ uid: string; percentage: number }[]>`
    select uid, agreed_percentage as percentage from identity.profiles
    where agreed_percentage is not null order by uid`;
}
