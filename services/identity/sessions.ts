// Sessions: families of refresh tokens. Each token can be used once, and the previous one for 20 more seconds.
import { createHash, createHmac, randomBytes, randomUUID, timingSafeEqual } from "node:crypto";
import type { Sql, TransactionSql } from "#db/connect.ts";
import type { Role } from "#identity/profiles.ts";
import { cookieSeconds, endOfSession, type SessionLimits } from "#identity/session-life.ts";
import { ROLE_OF_PROFILE } from "#identity/users.ts";
import { isUuid } from "#ledger/uuid.ts";
import { DAY_MS } from "#ledger/day-text.ts";

// A sign-in from the future was made while a clock was ahead. It must not count as recent, nor live longer for it.
const MAX_AHEAD_MS = 3_600_000;
const PREDECESSOR_HONOURED_MS = 20_000;
const MAX_USER_AGENT = 300;
/**
 * Each step is an HMAC, made before anything proves that the token is real, so a forged generation must not cause many.
 * A token from further back is refused, and the session goes on: nothing cheap shows that it was ever one.
 */
const MAX_GENERATIONS_BACK = 64;

export type Session = {
  readonly uid: string;
  /** In its ID tokens as `sid`. */
  readonly sessionId: string;
  readonly refreshToken: string;
  /** When the person signed in; refreshing does not count. */
  readonly authenticatedAt: Date;
  /** The person's epoch that it belongs to; a new one begins when all sessions are ended. */
  readonly epoch: number;
};

/** Where a session starts. */
export type SessionStart = {
  readonly uid: string;
  /** The browser's User-Agent. */
  readonly userAgent?: string | undefined;
  /** The client's address. */
  readonly address?: string | undefined;
  /** The epoch read before the person signed in; a session of an older epoch does not start. */
  readonly epoch: number;
  /** The hash that the password was checked against; if it is no longer the person's, no session starts. */
  readonly passwordHash?: string | undefined;
  /** One step was enough: no session starts if a second factor was added in the meantime. */
  readonly steps?: "one";
};

export type Sessions = {
  /** The epoch that a session of this person starts in. */
  readonly epochOf: (uid: string) => Promise<number>;
  /** Undefined if in the meantime all sessions were ended, the password changed, or the person was deactivated. */
  readonly start: (start: SessionStart) => Promise<Session | undefined>;
  /**
   * The successor of a token. The newest token's predecessor gets the same successor for 20 s, so that tabs that
   * refresh at the same time or lose the answer stay signed in. Any older token ends the whole session. `idle`: nobody
   * has used a page since the last one, so the session's idle time goes on.
   */
  readonly refresh: (
    refreshToken: string,
    use?: "used" | "idle",
  ) => Promise<Session | Reuse | undefined>;
  /** Ends the session of this token and returns whose it was; undefined for one that is unknown or has ended. */
  readonly end: (refreshToken: string) => Promise<string | undefined>;
};

/** An old token was used, so somebody has a copy: its session has ended. */
export type Reuse = { readonly reusedOf: string };

type FamilyRow = {
  id: string;
  uid: string;
  secret: Buffer;
  generation: number;
  token_hash: Buffer;
  authenticated_at: Date;
  rotated_at: Date;
  used_at: Date;
  ended_at: Date | null;
  session_epoch: number;
  is_deactivated: boolean;
  role: Role;
};

/** A token as it is sent: `<family>.<generation>.<value>`. Only the value is secret. */
type Token = { readonly familyId: string; readonly generation: number; readonly value: Buffer };

export function createSessions(sql: Sql, clock: () => Date, limits: SessionLimits): Sessions {
  return {
    async epochOf(uid) {
      const [row] = await sql<{ session_epoch: number }[]>`
        select session_epoch from identity.profiles where uid = ${uid}`;
      return row?.session_epoch ?? 0;
    },
    async start({ uid, userAgent, address, epoch, passwordHash, steps }) {
      const now = clock();
      const familyId = randomUUID();
      const value = randomBytes(32);
      const person =
        passwordHash === undefined
          ? sql`
              select uid from identity.profiles
              where uid = ${uid} and session_epoch = ${epoch} and deactivated_at is null for share`
          : sql`
              select p.uid from identity.profiles p join identity.credentials c on c.uid = p.uid
              where p.uid = ${uid} and p.session_epoch = ${epoch} and p.deactivated_at is null
                and c.password_hash = ${passwordHash} for share`;
      // Waits for a transaction that ends all sessions or changes the password, and then sees what it wrote.
      const started = await sql`
        insert into identity.refresh_families
          (id, uid, secret, generation, token_hash, authenticated_at, rotated_at, used_at, expires_at, user_agent,
            address)
        select ${familyId}, uid, ${randomBytes(32)}, 0, ${hashOf(value)}, ${now}, ${now}, ${now},
          ${forgettableFrom(now, limits)}, ${userAgent?.slice(0, MAX_USER_AGENT) ?? null}, ${address ?? null}
        from (${person}) as person
        returning 1`;
      await forgetLongEnded(sql, now);
      // Adding the first factor ends the sessions that it sees; one that waited for it sees the factor.
      const lacksStep = steps === "one" && (await endIfFactor(sql, uid, familyId, now));
      return started.count === 0 || lacksStep
        ? undefined
        : {
            uid,
            sessionId: familyId,
            refreshToken: write({ familyId, generation: 0, value }),
            authenticatedAt: now,
            epoch,
          };
    },
    async refresh(refreshToken, use = "used") {
      const token = read(refreshToken);
      return token === undefined
        ? undefined
        : sql.begin((transaction) => refreshIn(transaction, token, { now: clock(), use, limits }));
    },
    async end(refreshToken) {
      const token = read(refreshToken);
      if (token === undefined) {
        return undefined;
      }
      return sql.begin(async (transaction) => {
        const family = await lockFamily(transaction, token.familyId);
        if (
          family === undefined ||
          family.ended_at !== null ||
          standingOf(family, token) === "unknown"
        ) {
          return undefined;
        }
        await endFamily(transaction, family.id, clock(), "signed-out");
        return family.uid;
      });
    },
  };
}

type Renewal = {
  readonly now: Date;
  readonly use: "used" | "idle";
  readonly limits: SessionLimits;
};

async function refreshIn(
  transaction: TransactionSql,
  token: Token,
  { now, use, limits }: Renewal,
): Promise<Session | Reuse | undefined> {
  const family = await lockFamily(transaction, token.familyId);
  if (family === undefined || family.is_deactivated || !isOpen(family, now, limits)) {
    return undefined;
  }
  const standing = standingOf(family, token);
  if (standing === "unknown") {
    return undefined;
  }
  const rotatedAgoMs = now.getTime() - family.rotated_at.getTime();
  if (
    standing === "older" ||
    (standing === "predecessor" && Math.abs(rotatedAgoMs) > PREDECESSOR_HONOURED_MS)
  ) {
    await endFamily(transaction, family.id, now, "reused");
    return { reusedOf: family.uid };
  }
  const value = successorOf(family.secret, token.value);
  const generation = token.generation + 1;
  const authenticatedAt = notAhead(family.authenticated_at, now);
  if (standing === "newest") {
    const usedAt = use === "used" || family.used_at > now ? now : family.used_at;
    await transaction`
      update identity.refresh_families
      set generation = ${generation}, token_hash = ${hashOf(value)}, rotated_at = ${now},
        used_at = ${usedAt}, authenticated_at = ${authenticatedAt},
        expires_at = ${forgettableFrom(now, limits)}
      where id = ${family.id}`;
  } else if (use === "used") {
    // Another tab has refreshed at the same time without having been used.
    await transaction`
      update identity.refresh_families set used_at = ${now} where id = ${family.id}`;
  }
  return {
    uid: family.uid,
    sessionId: family.id,
    refreshToken: write({ familyId: family.id, generation, value }),
    authenticatedAt,
    epoch: family.session_epoch,
  };
}

function isOpen(family: FamilyRow, now: Date, limits: SessionLimits): boolean {
  const { authenticated_at: signedInAt, used_at: usedAt } = family;
  return (
    family.ended_at === null && endOfSession({ signedInAt, usedAt }, limits[family.role]) > now
  );
}

function notAhead(signedInAt: Date, now: Date): Date {
  return signedInAt.getTime() > now.getTime() + MAX_AHEAD_MS
    ? new Date(now.getTime() - MAX_AHEAD_MS)
    : signedInAt;
}

/** No role's session lives longer than this without being renewed. */
function forgettableFrom(renewedAt: Date, limits: SessionLimits): Date {
  return new Date(renewedAt.getTime() + cookieSeconds(limits) * 1000);
}

async function lockFamily(
  transaction: TransactionSql,
  familyId: string,
): Promise<FamilyRow | undefined> {
  const [family] = await transaction<FamilyRow[]>`
    select f.id, f.uid, f.secret, f.generation, f.token_hash, f.authenticated_at, f.rotated_at,
      f.used_at, f.ended_at, p.session_epoch, p.deactivated_at is not null as is_deactivated,
      ${transaction.unsafe(ROLE_OF_PROFILE)} as role
    from identity.refresh_families f join identity.profiles p on p.uid = f.uid
    where f.id = ${familyId} for update of f`;
  return family;
}

async function endFamily(
  transaction: TransactionSql,
  familyId: string,
  now: Date,
  because: "signed-out" | "reused",
): Promise<void> {
  await transaction`
    update identity.refresh_families set ended_at = ${now}, ended_because = ${because}
    where id = ${familyId} and ended_at is null`;
}

async function endIfFactor(sql: Sql, uid: string, familyId: string, now: Date): Promise<boolean> {
  const ended = await sql`
    update identity.refresh_families set ended_at = ${now}, ended_because = 'ended'
    where id = ${familyId} and exists (select from identity.factors where uid = ${uid})`;
  return ended.count === 1;
}

/** Which of the family's tokens this is: following the chain from it must lead to the newest. */
function standingOf(
  family: FamilyRow,
  token: Token,
): "newest" | "predecessor" | "older" | "unknown" {
  const stepsBack = family.generation - token.generation;
  if (stepsBack < 0 || stepsBack > MAX_GENERATIONS_BACK) {
    return "unknown";
  }
  let value = token.value;
  for (let step = 0; step < stepsBack; step += 1) {
    value = successorOf(family.secret, value);
  }
  if (!timingSafeEqual(hashOf(value), family.token_hash)) {
    return "unknown";
  }
  return stepsBack === 0 ? "newest" : stepsBack === 1 ? "predecessor" : "older";
}

function successorOf(secret: Buffer, value: Buffer): Buffer {
  return createHmac("sha256", secret).update(value).digest();
}

function hashOf(value: Buffer): Buffer {
  return createHash("sha256").update(value).digest();
}

function write({ familyId, generation, value }: Token): string {
  return `${familyId}.${generation}.${value.toString("base64url")}`;
}

function read(text: string): Token | undefined {
  const match = /^([0-9a-f-]{36})\.(\d{1,9})\.([\w-]{43})$/.exec(text);
  const [, familyId, generation, value] = match ?? [];
  if (familyId === undefined || value === undefined || !isUuid(familyId)) {
    return undefined;
  }
  return { familyId, generation: Number(generation), value: Buffer.from(value, "base64url") };
}

/** Unused sessions are deleted only after a year, so that a fast clock does not delete current ones. */
async function forgetLongEnded(sql: Sql, now: Date): Promise<void> {
  await sql`
    delete from identity.refresh_families
    where expires_at < ${new Date(now.getTime() - DAY_MS)}
      and (ended_at is not null or expires_at < ${new Date(now.getTime() - 365 * DAY_MS)})`;
}
