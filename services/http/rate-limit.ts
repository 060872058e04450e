// Limits on what anybody may call, counted in PostgreSQL so that every process counts the same.
import { createHash } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import type { Sql } from "#db/connect.ts";
import type { AppEnv } from "#http/env.ts";
import { HttpError } from "#http/errors.ts";

/** So many attempts in a window of so many seconds, which starts at the first. */
export type RateRule = { readonly attempts: number; readonly perSeconds: number };

export type RateLimit = {
  /** Counts an attempt. Throws HttpError 429 with Retry-After when there were too many. */
  readonly consume: (key: string) => Promise<void>;
  /** Takes one attempt back. */
  readonly giveBack: (key: string) => Promise<void>;
  readonly forget: (key: string) => Promise<void>;
  /** True when anything is counted for the key at present. */
  readonly isCounted: (key: string) => Promise<boolean>;
  /** Starts the window anew with one attempt in it. */
  readonly mark: (key: string) => Promise<void>;
};

export type RateLimits = (name: string, rule: RateRule) => RateLimit;

/** Limits over table `identity.rate_limits`. Keys are stored as hashes: they name people and addresses. */
export function createRateLimits(sql: Sql): RateLimits {
  const storeClient = {
    async query({ text, values }: { text: string; values: (string | number | null)[] }) {
      const rows = await sql.unsafe(text, values, { prepare: true });
      return { rows, rowCount: rows.count };
    },
  };
  return (name, rule) => {
    const limiter = new RateLimiterPostgres({
      storeClient,
      storeType: "pool",
      schemaName: "identity",
      tableName: "rate_limits",
      tableCreated: true,
      keyPrefix: name,
      points: rule.attempts,
      duration: rule.perSeconds,
    });
    return {
      async consume(key) {
        try {
          await limiter.consume(hashOf(key));
        } catch (refusal) {
          throw refusal instanceof RateLimiterRes ? tooMany(refusal) : refusal;
        }
      },
      async giveBack(key) {
        await limiter.reward(hashOf(key));
      },
      async forget(key) {
        await limiter.delete(hashOf(key));
      },
      async isCounted(key) {
        const counted = await limiter.get(hashOf(key));
        return counted !== null && counted.consumedPoints > 0;
      },
      async mark(key) {
        await limiter.set(hashOf(key), 1, rule.perSeconds);
      },
    };
  };
}

/** Counts each call of a route against the caller's address. */
export function limitByAddress(limit: RateLimit): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    await limit.consume(c.get("clientAddress"));
    await next();
  };
}

function tooMany(refusal: RateLimiterRes): HttpError {
  return new HttpError(429, "too_many_attempts", "Too many attempts. Please wait and try again.", {
    retryAfterSeconds: Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)),
  });
}

function hashOf(key: string): string {
  return createHash("sha256").update(key).digest("base64url");
}
