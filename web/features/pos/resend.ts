// After the store was restored from a back-up, sends the last days' booked lines again: those it still has answer as before.
import * as z from "zod/mini";
import { localValue } from "#web/lib/local-store.ts";
import { sendNow } from "./outbox.ts";
import { queueAgain } from "./pos-store.ts";

/** The restore that this till has answered; null before the first one. */
const answered = localValue("posRestore", z.nullable(z.string()), null);

/** `restoreId` is the server's; undefined from a server that does not name any. */
export async function resendAfterRestore(restoreId: string | null | undefined): Promise<void> {
  if (restoreId === undefined || restoreId === null || restoreId === answered.read()) {
    return;
  }
  await queueAgain(new Date());
  // Only now: a till that is closed before this queues them once more, which the keys make harmless.
  answered.write(restoreId);
  await sendNow();
}
