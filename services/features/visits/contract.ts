// The requests and responses of the calls about visits; every open page tells of its own.
import * as z from "zod/mini";

/** POST /analytics/track, open: a screen was opened. 204, also where the visit is not counted. */
export const trackRequest = z.strictObject({
  /** `session_{timestamp}_{random}`, which the browser keeps. The time is in milliseconds. */
  sessionId: z
    .string()
    .check(
      z.regex(/^session_\d{13}_[A-Za-z0-9]{4,32}$/u, "A session id is session_{time}_{random}"),
    ),
  path: z.string().check(z.maxLength(2_000), z.startsWith("/", "A path begins with /")),
});
export type TrackRequest = z.infer<typeof trackRequest>;

/** GET /analytics/stats, admins only. Days are those of the store. */
export const statsResponse = z.object({
  /** Sessions that opened a screen in the last 5 minutes. */
  activeNow: z.int(),
  todayVisitors: z.int(),
  todayViews: z.int(),
  /** Every session once, whenever it came. */
  totalVisitors: z.int(),
  totalViews: z.int(),
  /** The last 14 days, the oldest first; today is the last. */
  days: z.array(z.object({ day: z.string(), visitors: z.int(), views: z.int() })),
  /** What was opened most in these days. Ids in addresses read ":id". */
  paths: z.array(z.object({ path: z.string(), views: z.int() })),
});
export type StatsResponse = z.infer<typeof statsResponse>;
