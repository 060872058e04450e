// Limits how often something may be called, counted in PostgreSQL so that all processes share the counts.
import { createHash } from "node:crypto";
import { isIPv6 } from "node:net";
import type { MiddlewareHandler } from "hono";
import type { Sql } from "#db/connect.ts";
import type { AppEnv } from "#http/env.ts";
import { HttpError } from "#http/errors.ts";
import { networkOf, wideNetworkOf } from "#identity/networks.ts";

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

/** A row that counts, and how far. */
type Counter = { readonly key: string; readonly attempts: number };

export type RateLimits = (name: string, rule: RateRule) => RateLimit;

const HOUR_MS = 3_600_000;
const CLEAN_EVERY_MS = 300_000;
const CLEANED_AT_ONCE = 10_000;

/** How many times the attempts of a /64 a /48 has: one customer usually has a whole /48, and may use every /64 of it. */
const WIDE_FACTOR = 4;

/**
 * Limits over table `identity.rate_limits`. Keys are stored as hashes, because they contain people and addresses. A
 * key that is an IPv6 address counts as its /64, and also as its /48.
 */
export function createRateLimits(sql: Sql, clock: () => Date): RateLimits {
  const clean = createCleaning(sql);
  return (name, { attempts, perSeconds }) => {
    const windowMs = perSeconds * 1000;
    const nameOf = (key: string): string => `${name}:${hashOf(key)}`;
    const rowOf = (key: string): string => nameOf(networkOf(key));
    const countersOf = (key: string): readonly Counter[] => [
      { key: rowOf(key), attempts },
      ...(isIPv6(key)
        ? [{ key: nameOf(wideNetworkOf(key)), attempts: attempts * WIDE_FACTOR }]
        : []),
    ];
    return {
      async consume(key) {
        const now = clock().getTime();
        const endsAt = now + windowMs;
        const counters = countersOf(key);
        // Sorted, so that two at once cannot wait for each other. A window that ends later than one starting now was
        // started by a fast clock, so it is over too.
        const rows = await sql<{ key: string; points: number; expire: number }[]>`
          insert into identity.rate_limits as l (key, points, expire)
          select key, 1, ${endsAt}::bigint
          from unnest(${counters.map((counter) => counter.key).toSorted()}::text[]) as k (key)
          on conflict (key) do update set
            points = case when l.expire > ${now}::bigint and l.expire <= excluded.expire
              then l.points + 1 else 1 end,
            expire = case when l.expire > ${now}::bigint and l.expire <= excluded.expire
              then l.expire else excluded.expire end
          returning key, points, expire`;
        await clean(now);
        const over = rows.filter((row) =>
          counters.some((counter) => counter.key === row.key && row.points > counter.attempts),
        );
        if (over.length > 0) {
          throw tooMany(Math.max(...over.map(({ expire }) => expire)) - now);
        }
      },
      async giveBack(key) {
        const rows = countersOf(key).map((counter) => counter.key);
        await sql`
          update identity.rate_limits set points = points - 1
          where key = any(${rows}::text[]) and points > 0`;
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
