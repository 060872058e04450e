// Limits how often something may be called, counted in PostgreSQL so that all processes share the counts.
import { createHash } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import type { Sql } from "#db/connect.ts";
import type { AppEnv } from "#http/env.ts";
import { HttpError } from "#http/errors.ts";

/** A number of attempts in a window of some seconds, which starts at the first attempt. */
export type RateRule = { readonly attempts: number; readonly perSeconds: number };

export type RateLimit = {
  /** Counts an attempt. Throws HttpError 429 with Retry-After if there were too many. */
  readonly consume: (key: string) => Promise<void>;
  /** Takes one attempt back. */
  readonly giveBack: (key: string) => Promise<void>;
  readonly forget: (key: string) => Promise<void>;
  /** True if the key has counted attempts now. */
  readonly isCounted: (key: string) => Promise<boolean>;
  /** Restarts the window with one attempt in it. */
  readonly mark: (key: string) => Promise<void>;
};

export type RateLimits = (name: string, rule: RateRule) => RateLimit;

const HOUR_MS = 3_600_000;
const CLEAN_EVERY_MS = 300_000;
const CLEANED_AT_ONCE = 10_000;

/** Limits over table `identity.rate_limits`. Keys are stored as hashes, because they contain people and addresses. */
export function createRateLimits(sql: Sql, clock: () => Date): RateLimits {
  const clean = createCleaning(sql);
  return (name, { attempts, perSeconds }) => {
    const windowMs = perSeconds * 1000;
    const rowOf = (key: string): string => `${name}:${hashOf(key)}`;
    return {
      async consume(key) {
        const now = clock().getTime();
        const endsAt = now + windowMs;
        // A window that ends later than one starting now was started by a fast clock, so it is over too.
        const [row] = await sql<{ points: number; expire: number }[]>`
          insert into identity.rate_limits as l (key, points, expire)
          values (${rowOf(key)}, 1, ${endsAt}::bigint)
          on conflict (key) do update set
            points = case when l.expire > ${now}::bigint and l.expire <= excluded.expire
              then l.points + 1 else 1 end,
            expire = case when l.expire > ${now}::bigint and l.expire <= excluded.expire
              then l.expire else excluded.expire end
          returning points, expire`;
        await clean(now);
        if (row !== undefined && row.points > attempts) {
          throw tooMany(row.expire - now);
        }
      },
      async giveBack(key) {
        await sql`
          update identity.rate_limits set points = points - 1
          where key = ${rowOf(key)} and points > 0`;
      },
      async forget(key) {
        await sql`delete from identity.rate_limits where key = ${rowOf(key)}`;
      },
      async isCounted(key) {
        const counted = await sql`
          select from identity.rate_limits
          where key = ${rowOf(key)} and points > 0 and expire > ${clock().getTime()}::bigint`;
        return counted.count > 0;
      },
      async mark(key) {
        await sql`
          insert into identity.rate_limits (key, points, expire)
          values (${rowOf(key)}, 1, ${clock().getTime() + windowMs}::bigint)
          on conflict (key) do update set points = 1, expire = excluded.expire`;
      },
    };
  };
}

/**
 * Every few minutes, deletes windows that ended more than an hour ago. Processes that do this at once do not wait for
 * each other.
 */
function createCleaning(sql: Sql): (now: number) => Promise<void> {
  let cleanedAt: number | undefined;
  return async (now) => {
    if (cleanedAt !== undefined && Math.abs(now - cleanedAt) < CLEAN_EVERY_MS) {
      return;
    }
    cleanedAt = now;
    await sql`
      delete from identity.rate_limits where key in (
        select key from identity.rate_limits where expire < ${now - HOUR_MS}::bigint
        order by expire limit ${CLEANED_AT_ONCE} for update skip locked)`;
  };
}

/** Counts each call of a route against the caller's address. */
export function limitByAddress(limit: RateLimit): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    await limit.consume(c.get("clientAddress"));
    await next();
  };
}

function tooMany(msUntilOver: number): HttpError {
  return new HttpError(429, "too_many_attempts", "Too many attempts. Wait and try again.", {
    retryAfterSeconds: Math.max(1, Math.ceil(msUntilOver / 1000)),
  });
}

function hashOf(key: string): string {
  return createHash("sha256").update(key).digest("base64url");
}
