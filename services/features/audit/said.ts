// What an event says beyond what its streams show, field by field, in words for admins: also new fields. Pure.
import { isWordless, nameOf, shown } from "#features/audit/changes.ts";
import type { AuditSaid } from "#features/audit/contract.ts";
import type { Fields } from "#features/audit/named-in.ts";

/** A row outside the log, or a hash: shown in words elsewhere, or never. */
const OUTSIDE = /^(?:changeId|handleId|takes|frees|\w*LabelId|\w*Hash)$/u;

/** What it was and what it became is shown as a change of the thing. */
const CHANGED = /^(?:before|after)(?:[A-Z]|$)/u;

function isNamed(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The state's own fields and those of its groups; entries of lists are other things of the same names. */
function fieldsIn(state: unknown): readonly (readonly [name: string, value: unknown])[] {
  return isNamed(state)
    ? Object.entries(state).flatMap(([name, value]) =>
        isNamed(value) ? fieldsIn(value) : [[name, value] as const],
      )
    : [];
}

/** "1" is in many notes by chance; "50%", a reason or an id is not. */
const isSaidIn = (notes: readonly string[], said: string): boolean =>
  said.length > 2 && notes.some((note) => note.includes(said));

/**
 * The plain fields of an event's data, in its order: texts, numbers, and yes or no. Without those that the state of a
 * stream has after it with the same value, and without what is shown already: the ids of the things that it is about,
 * and its notes, such as a reason.
 */
export function saidBy(
  data: Fields,
  states: readonly unknown[],
  { ids, notes }: { readonly ids: readonly string[]; readonly notes: readonly string[] },
): readonly AuditSaid[] {
  const known = states.flatMap(fieldsIn);
  const isKnown = (field: string, value: unknown) =>
    ids.some((id) => id === value) ||
    known.some(([name, there]) => name === field && there === value);
  return Object.entries(data)
    .filter(([field]) => !isWordless(field) && !OUTSIDE.test(field) && !CHANGED.test(field))
    .filter(([field, value]) => typeof value !== "object" && !isKnown(field, value))
    .flatMap(([field, value]) => {
      const said = shown(field, value);
      return said === null || isSaidIn(notes, said) ? [] : [{ field: nameOf(field), value: said }];
    });
}
