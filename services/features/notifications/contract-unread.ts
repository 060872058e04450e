// The number in the bell. Every screen loads it, so it stands apart.
import * as z from "zod/mini";

/** GET /notifications/unread */
export const unreadResponse = z.object({
  /** 100 for more. */
  unread: z.int(),
  /** True while the newest events are not looked through yet: ask again soon. */
  isBehind: z.boolean(),
});
export type UnreadResponse = z.infer<typeof unreadResponse>;
