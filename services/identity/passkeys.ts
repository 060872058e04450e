// Passkeys: adding one, and checking what one has signed. Each challenge is for one purpose and is used once.
import { randomUUID } from "node:crypto";
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/server";
import type { Sql } from "#db/connect.ts";
import { type Adder, codesOfFirst, endWithoutFactor, lockForAdding } from "#identity/factors.ts";

/** Where the browser is: a passkey works only for its own host. */
export type PasskeySite = {
  readonly host: string;
  readonly origins: readonly string[];
  /** What the browser's dialog calls the store. */
  readonly name: string;
};

/** For whom a passkey is asked: somebody known, or whoever it says it belongs to. */
export type PasskeyUse =
  | { readonly purpose: "sign-in"; readonly uid: null }
  | { readonly purpose: "second-step" | "confirm"; readonly uid: string };

export type NewPasskey = {
  readonly adder: Adder;
  /** What its owner calls it. */
  readonly name: string;
  readonly answer: NewPasskeyAnswer;
};

/** What a browser sends when a passkey was made, and when one was used. */
export type NewPasskeyAnswer = {
  readonly id: string;
  readonly rawId: string;
  readonly response: {
    readonly clientDataJSON: string;
    readonly attestationObject: string;
    readonly transports?: readonly string[] | undefined;
  };
};
export type PasskeyAnswer = {
  readonly id: string;
  readonly rawId: string;
  readonly response: {
    readonly clientDataJSON: string;
    readonly authenticatorData: string;
    readonly signature: string;
  };
};

export type PasskeyAdded =
  | { readonly kind: "added"; readonly codes: readonly string[] | null }
  /** `because` is for the log. */
  | { readonly kind: "refused"; readonly because: string };

export type PasskeyUsed =
  /** `epoch` is the person's epoch of sessions, read before the answer was checked. */
  | { readonly kind: "used"; readonly uid: string; readonly epoch: number }
  | { readonly kind: "refused"; readonly because: string };

export type Passkeys = {
  readonly beginAdding: (
    site: PasskeySite,
    person: { readonly uid: string; readonly account: string; readonly displayName: string },
  ) => Promise<PublicKeyCredentialCreationOptionsJSON>;
  readonly finishAdding: (site: PasskeySite, passkey: NewPasskey) => Promise<PasskeyAdded>;
  readonly beginUse: (
    site: PasskeySite,
    use: PasskeyUse,
  ) => Promise<PublicKeyCredentialRequestOptionsJSON>;
  readonly finishUse: (
    site: PasskeySite,
    use: PasskeyUse,
    answer: PasskeyAnswer,
  ) => Promise<PasskeyUsed>;
};

/** Ed25519, ES256 and RS256: what every authenticator has one of. */
const ALGORITHMS = [-8, -7, -257];
const CHALLENGE_MS = 300_000;
const MAX_PASSKEYS = 20;
/** The package's types ask for them. */
const UNUSED_PARTS = { type: "public-key", clientExtensionResults: {} } as const;
const NO_CHALLENGE = "the challenge was used, has expired, or was for something else";

/** Loaded with the first passkey: most processes and tests never need it. */
const webauthn = () => import("@simplewebauthn/server");

type Purpose = "add" | PasskeyUse["purpose"];

export function createPasskeys(sql: Sql, clock: () => Date): Passkeys {
  const challenges = createChallenges(sql, clock);
  return {
    async beginAdding({ host, name }, { uid, account, displayName }) {
      const { generateRegistrationOptions } = await webauthn();
      const known = await credentialsOf(sql, uid);
      const options = await generateRegistrationOptions({
        rpName: name,
        rpID: host,
        userName: account,
        userDisplayName: displayName,
        // Random letters and digits; authenticators keep it, so it must not say who it is.
        userID: new TextEncoder().encode(uid),
        excludeCredentials: known,
        authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
        supportedAlgorithmIDs: ALGORITHMS,
        timeout: CHALLENGE_MS,
      });
      await challenges.keep(options.challenge, "add", uid);
      return options;
    },
    finishAdding: (site, passkey) => finishAdding(sql, clock, challenges, site, passkey),
    async beginUse({ host }, { purpose, uid }) {
      const { generateAuthenticationOptions } = await webauthn();
      const known = uid === null ? [] : await credentialsOf(sql, uid);
      const options = await generateAuthenticationOptions({
        rpID: host,
        // Alone, a passkey must prove its person too: by a finger, a face or a PIN.
        userVerification: purpose === "sign-in" ? "required" : "preferred",
        timeout: CHALLENGE_MS,
        ...(uid === null ? {} : { allowCredentials: known }),
      });
      await challenges.keep(options.challenge, purpose, uid);
      return options;
    },
    finishUse: (site, use, answer) => finishUse(sql, clock, challenges, { site, use, answer }),
  };
}

type Challenges = {
  readonly keep: (challenge: string, purpose: Purpose, uid: string | null) => Promise<void>;
  /** The challenge that was signed; undefined for one of another purpose or person, and for the second use. */
  readonly spend: (
    clientData: string,
    purpose: Purpose,
    uid: string | null,
  ) => Promise<string | undefined>;
};

function createChallenges(sql: Sql, clock: () => Date): Challenges {
  return {
    async keep(challenge, purpose, uid) {
      const now = clock();
      await sql`delete from identity.passkey_challenges where expires_at < ${now}`;
      await sql`
        insert into identity.passkey_challenges (challenge, purpose, uid, expires_at)
        values (${challenge}, ${purpose}, ${uid}, ${new Date(now.getTime() + CHALLENGE_MS)})`;
    },
    async spend(clientData, purpose, uid) {
      const challenge = challengeIn(clientData);
      const spent = await sql`
        delete from identity.passkey_challenges
        where challenge = ${challenge} and purpose = ${purpose}
          and uid is not distinct from ${uid} and expires_at > ${clock()}`;
      return spent.count === 1 ? challenge : undefined;
    },
  };
}

/** Empty for anything that no browser sends. */
function challengeIn(clientData: string): string {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientData, "base64url").toString("utf8"));
    const challenge: unknown = data instanceof Object ? Reflect.get(data, "challenge") : undefined;
    return typeof challenge === "string" ? challenge : "";
  } catch {
    return "";
  }
}

async function credentialsOf(sql: Sql, uid: string) {
  const rows = await sql<{ id: string; transports: string[] }[]>`
    select credential_id as id, transports from identity.factors
    where uid = ${uid} and kind = 'passkey' order by added_at limit ${MAX_PASSKEYS}`;
  return rows.map(({ id, transports }) => ({ id, transports }));
}

async function finishAdding(
  sql: Sql,
  clock: () => Date,
  challenges: Challenges,
  { host, origins }: PasskeySite,
  { adder, name, answer }: NewPasskey,
): Promise<PasskeyAdded> {
  const { uid } = adder;
  const { verifyRegistrationResponse } = await webauthn();
  const challenge = await challenges.spend(answer.response.clientDataJSON, "add", uid);
  if (challenge === undefined) {
    return { kind: "refused", because: NO_CHALLENGE };
  }
  const verified = await orRefused(() =>
    verifyRegistrationResponse({
      response: {
        ...UNUSED_PARTS,
        id: answer.id,
        rawId: answer.rawId,
        response: {
          clientDataJSON: answer.response.clientDataJSON,
          attestationObject: answer.response.attestationObject,
          transports: [...(answer.response.transports ?? [])],
        },
      },
      expectedChallenge: challenge,
      expectedOrigin: [...origins],
      expectedRPID: host,
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    }),
  );
  if (typeof verified === "string" || !verified.verified) {
    return { kind: "refused", because: typeof verified === "string" ? verified : "not verified" };
  }
  const { credential } = verified.registrationInfo;
  return sql.begin(async (transaction) => {
    const turn = await lockForAdding(transaction, adder);
    if (turn === "ended") {
      return { kind: "refused", because: "the session has ended" };
    }
    const added = await transaction`
      insert into identity.factors
        (id, uid, kind, name, added_at, credential_id, public_key, counter, transports)
      select ${randomUUID()}, ${uid}, 'passkey', ${name}, ${clock()}, ${credential.id},
        ${credential.publicKey}, ${credential.counter}, ${credential.transports ?? []}::text[]
      where (select count(*) from identity.factors where uid = ${uid}) < ${MAX_PASSKEYS}
      on conflict do nothing`;
    if (added.count === 0) {
      return { kind: "refused", because: "known already, or too many passkeys" };
    }
    await (turn === "first" ? endWithoutFactor(transaction, clock(), adder) : undefined);
    return { kind: "added", codes: await codesOfFirst(transaction, clock(), uid) };
  });
}

type Using = {
  readonly site: PasskeySite;
  readonly use: PasskeyUse;
  readonly answer: PasskeyAnswer;
};

type PasskeyRow = {
  id: string;
  uid: string;
  public_key: Buffer;
  counter: number;
  session_epoch: number;
};

async function finishUse(
  sql: Sql,
  clock: () => Date,
  challenges: Challenges,
  { site, use, answer }: Using,
): Promise<PasskeyUsed> {
  const { purpose, uid } = use;
  const [passkey] = await sql<PasskeyRow[]>`
    select f.id, f.uid, f.public_key, f.counter, p.session_epoch
    from identity.factors f join identity.profiles p on p.uid = f.uid
    where f.credential_id = ${answer.id} and (${uid}::text is null or f.uid = ${uid})`;
  if (passkey === undefined) {
    return { kind: "refused", because: "unknown passkey" };
  }
  const { verifyAuthenticationResponse } = await webauthn();
  const challenge = await challenges.spend(answer.response.clientDataJSON, purpose, uid);
  if (challenge === undefined) {
    return { kind: "refused", because: NO_CHALLENGE };
  }
  const verified = await orRefused(() =>
    verifyAuthenticationResponse({
      response: { ...UNUSED_PARTS, ...answer },
      expectedChallenge: challenge,
      expectedOrigin: [...site.origins],
      expectedRPID: site.host,
      requireUserVerification: purpose === "sign-in",
      credential: {
        id: answer.id,
        publicKey: new Uint8Array(passkey.public_key),
        counter: passkey.counter,
      },
    }),
  );
  if (typeof verified === "string" || !verified.verified) {
    return { kind: "refused", because: typeof verified === "string" ? verified : "not verified" };
  }
  const used = await sql`
    update identity.factors
    set counter = greatest(counter, ${verified.authenticationInfo.newCounter}), last_used_at = ${clock()}
    where id = ${passkey.id}`;
  return used.count === 1
    ? { kind: "used", uid: passkey.uid, epoch: passkey.session_epoch }
    : { kind: "refused", because: "the passkey was removed in the meantime" };
}

/** The package throws for whatever a browser sent wrong; its sentence goes to the log. */
async function orRefused<Result>(verify: () => Promise<Result>): Promise<Result | string> {
  try {
    return await verify();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
