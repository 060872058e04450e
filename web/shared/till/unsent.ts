// How many lines of this till the ledger does not have yet. Every admin screen may have to show this.
import * as z from "zod/mini";
import { localValue } from "#web/lib/local-store.ts";

const unsentCount = z.object({ waiting: z.int(), refused: z.int() });
export type UnsentCount = z.infer<typeof unsentCount>;

/** A copy of the queue's numbers, so that other screens do not have to open it. */
export const unsent = localValue("posUnsent", unsentCount, { waiting: 0, refused: 0 });

export function noteUnsent(count: UnsentCount): void {
  const seen = unsent.read();
  if (seen.waiting !== count.waiting || seen.refused !== count.refused) {
    unsent.write(count);
  }
}
