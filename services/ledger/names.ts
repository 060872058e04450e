// How names that contain an id are made and read: streams, accounts and holdings, the same in TypeScript and in SQL.

/** A kind of name, for example `item-<id>` or `consignor:<id>:available`. Pure. */
export type NameKind = {
  /** `item_stream`: SQL has `log.item_stream(id)`, `log.is_item_stream(name)` and `log.id_of_item_stream(name)`. */
  readonly sqlName: string;
  readonly of: (id: string) => string;
  readonly is: (name: string) => boolean;
  /** Only for a name of this kind. */
  readonly idOf: (name: string) => string;
  /** The bodies of the SQL functions, as a migration created them. Each is one expression, so PostgreSQL inlines it. */
  readonly sql: Readonly<Record<string, string>>;
};

/** Declares a kind of name. A migration must create its three functions; a test compares both. */
export function defineName(sqlName: string, prefix: string, suffix = ""): NameKind {
  const taken = prefix.length + suffix.length;
  return {
    sqlName,
    of: (id) => `${prefix}${id}${suffix}`,
    is: (name) => name.length >= taken && name.startsWith(prefix) && name.endsWith(suffix),
    idOf: (name) => name.slice(prefix.length, name.length - suffix.length),
    sql: {
      [`${sqlName}(id text)`]: `select '${prefix}' || id${suffix === "" ? "" : ` || '${suffix}'`}`,
      [`is_${sqlName}(name text)`]: `select name like '${prefix}%${suffix}'`,
      [`id_of_${sqlName}(name text)`]:
        suffix === ""
          ? `select substr(name, ${prefix.length + 1})`
          : `select substr(name, ${prefix.length + 1}, length(name) - ${taken})`,
    },
  };
}

/** Several kinds of names with the same beginning, for example all accounts of a consignor. The id has no colon. */
export type NameFamily = Omit<NameKind, "of">;

/** Declares the names that begin with `prefix` and an id between colons. A migration must create its two functions. */
export function defineNameFamily(sqlName: string, prefix: `${string}:`): NameFamily {
  return {
    sqlName,
    is: (name) => name.startsWith(prefix),
    idOf: (name) => name.split(":")[1] ?? "",
    sql: {
      [`is_${sqlName}(name text)`]: `select name like '${prefix}%'`,
      [`id_of_${sqlName}(name text)`]: `select split_part(name, ':', 2)`,
    },
  };
}
