// Checks that notes are the texts that their events name, for the features whose events name notes: part of `npm run verify`.
import type { BookCheck } from "#ledger/verify/book-checks.ts";

/** As `saltedNote` makes an id. */
const ID_OF_TEXT = `(
  select substr(h, 1, 12) || '8' || substr(h, 14, 3) || '9' || substr(h, 18, 15)
  from encode(substring(sha256(n.salt || convert_to(n.text, 'UTF8')) from 1 for 16), 'hex') h)`;

const IS_BOUND = "n.id::text like '______________8____9%'";

export const noteChecks: readonly BookCheck[] = [
  {
    // The event is looked for as text: in every version that an event was stored in, and whatever its field is called.
    // The log is read only if a note is wrong.
    check: "identity",
    sql: `
      with wrong as materialized (
        select n.id::text as id from identity.notes n
        where ${IS_BOUND} and ${ID_OF_TEXT} is distinct from replace(n.id::text, '-', '')
        order by n.id limit 100),
      named as materialized (
        select w.id, min(e.position) as position
        from log.events e join wrong w on strpos(e.data::text, w.id) > 0
        where exists (select from wrong)
        group by w.id)
      select coalesce(m.position, 0) as position,
        'note ' || w.id || case
          when m.position is null then ': it is not the text of its id, and no event names it'
          else ': it is not the text that its event was recorded with: event ' || m.position || ', ' || e.type end
          as message
      from wrong w
      left join named m on m.id = w.id
      left join log.events e on e.position = m.position
      order by 1, 2`,
  },
  {
    check: "identity",
    note: `
      select count(*) || ' notes are older than the binding of texts: unbound' as message
      from identity.notes n where not ${IS_BOUND} having count(*) > 0`,
  },
];

/** `named` selects events whose note may be gone only with the person `owner`, with the columns position, note_id and owner. */
export function keptNotesCheck(named: string): BookCheck {
  return {
    check: "identity",
    sql: `
      select n.position, 'note ' || n.note_id || ' is gone, but who it belongs to was not deleted' as message
      from (${named}) n
      left join log.streams s on s.id = log.user_stream(n.owner)
      where s.state ->> 'deactivatedAt' is null
        and not exists (select from identity.notes t where t.id::text = n.note_id)
      order by 1 limit 100`,
  };
}
