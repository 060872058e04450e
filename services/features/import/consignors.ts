// The owners of a file's lines: people that it names, or the import's own consignors.
import type { Sql } from "#db/connect.ts";
import { refused } from "./cells.ts";
import { quoted } from "./cells.ts";
import type { Refused } from "./cells.ts";
import { consignorNumberOf, importConsignorUid } from "./imported-ids.ts";

/** The uids for each name in a file (several people may share an e-mail). */
export type KnownNames = ReadonlyMap<string, readonly string[]>;

/** Finds active people by uid, e-mail or username; the latter two ignore case. */
export async function findNames(sql: Sql, names: ReadonlySet<string>): Promise<KnownNames> {
  const wanted = [...names].filter((name) => name !== "");
  if (wanted.length === 0) {
    return new Map();
  }
  const rows = await sql<{ name: string; uid: string }[]>`
    select n.name, p.uid
    from unnest(${wanted}::text[]) as n (name)
    join identity.profiles p
      on p.uid = n.name or lower(p.email) = lower(n.name) or p.username = lower(n.name)
    where p.deactivated_at is null
    order by n.name, p.uid`;
  const known = new Map<string, string[]>();
  for (const { name, uid } of rows) {
    known.set(name, [...(known.get(name) ?? []), uid]);
  }
  return known;
}

/** The one person with this name. */
export function personNamed(known: KnownNames, name: string): { readonly uid: string } | Refused {
  const [uid, ...others] = known.get(name) ?? [];
  if (uid === undefined) {
    return refused("unknown_consignor", `Nobody has the e-mail or username ${quoted(name)}`);
  }
  return others.length > 0
    ? refused("ambiguous_consignor", `${others.length + 1} people have the e-mail ${quoted(name)}`)
    : { uid };
}

/** The person that a sales line names, otherwise the import consignor that the rule assigns to its code. */
export function consignorOf(
  known: KnownNames,
  consignors: number,
): (name: string, code: string) => { readonly uid: string } | Refused {
  return (name, code) =>
    name === ""
      ? { uid: importConsignorUid(consignorNumberOf(code, consignors)) }
      : personNamed(known, name);
}
