// What happens to alerts: something is wrong with the books or the machinery until it is found to be right again.
import * as z from "zod/mini";
import { defineEvent } from "#ledger/event.ts";
import { uid } from "#ledger/fields.ts";

/** Names what is wrong: the same fault again is the same alert. */
const key = z.string().check(z.minLength(1), z.maxLength(500));

const fault = z.object({
  key,
  /** How often this key was raised, with this time. */
  episode: z.int(),
  /**
   * `drift`: rows differ from the log. `held`: rows are held back. `stalled`: shown tables get no
   * further. `books`: a check of the nightly proof failed.
   */
  kind: z.enum(["drift", "held", "stalled", "books", "proof", "backup", "notifications"]),
  /** The projection, or the check. */
  subject: z.string(),
  /** The row key; null for none or many. */
  rowKey: z.nullable(z.string()),
  /** How many rows or findings there were. */
  count: z.int(),
  /** The first wrong position that is known; 0 for none. */
  atPosition: z.int(),
});

/** Something is wrong. A fault that is found again while its alert is open adds nothing. */
export const AlertRaised = defineEvent("AlertRaised", 1, fault);

/** An admin has seen it. */
export const AlertAcknowledged = defineEvent("AlertAcknowledged", 1, z.object({ key, by: uid }));

/** A later look found it right. */
export const AlertResolved = defineEvent(
  "AlertResolved",
  1,
  z.extend(fault, {
    raisedAt: z.iso.datetime(),
    /** Null if no admin had seen it. */
    acknowledgedBy: z.nullable(uid),
  }),
);

/** Every event of this feature. */
export const alertEvents = [AlertRaised, AlertAcknowledged, AlertResolved] as const;
