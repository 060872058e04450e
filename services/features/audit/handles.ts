// The payment handles that an event and its payout's states name. The log has only their ids: the texts are rows outside it.
import type { Fields } from "#features/audit/named-in.ts";
import { textField } from "#features/audit/named-in.ts";
import type { Step } from "#features/audit/queries-event.ts";
import type { PayoutHandles } from "#identity/payout-handles.ts";

type NamedHandle = { readonly id: string; readonly hash: string | null };

function handleIn(fields: Fields): NamedHandle | null {
  const id = textField(fields, "handleId");
  return id === null ? null : { id, hash: textField(fields, "handleHash") };
}

function handleOfState(state: unknown): NamedHandle | null {
  return handleIn(Object(Object(state)["handle"]) as Fields);
}

/**
 * The id of the handle that an event names; null if it names none. Payments of version 1 went to the one that the
 * request had.
 */
export function handleNamedBy(fields: Fields, steps: readonly (Step | null)[]): string | null {
  if (!("handleId" in fields)) {
    return null;
  }
  const [ofState = null] = steps.flatMap((step) => handleOfState(step?.after) ?? []);
  return (handleIn(fields) ?? ofState)?.id ?? null;
}

/** What is shown of all handles that an event and its states name, by their ids. */
export async function handleTexts(
  payoutHandles: Pick<PayoutHandles, "findMany">,
  fields: Fields,
  steps: readonly (Step | null)[],
): Promise<ReadonlyMap<string, string>> {
  const states = steps.flatMap((step) => [step?.before, step?.after]);
  const named = [handleIn(fields), ...states.map(handleOfState)].filter((one) => one !== null);
  const kept = await payoutHandles.findMany(named.map(({ id }) => id));
  const uid = textField(fields, "consignorId");
  return new Map(
    named.map(({ id, hash }) => {
      const row = kept.get(id);
      if (row === undefined) {
        return [id, "Erased"];
      }
      const isTurned = row.uid !== uid || (hash !== null && row.hash !== hash);
      return [
        id,
        isTurned ? "Changed in the database" : row.handle || "No handle from the old app",
      ];
    }),
  );
}
