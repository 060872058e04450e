// Seals secrets before they are stored, with a key from outside the database: a dump alone opens nothing and signs nothing.
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";

/** What a sealed value is. Each purpose has a key of its own, so that a value cannot pass for another kind. */
export type Purpose =
  | "signing-key"
  | "statement-key"
  | "statement-key-public"
  | "totp-secret"
  | "payout-handle";

/** What a value belongs to. It is bound to it: copied to another row, it cannot be opened. */
export type SealedFor = {
  readonly purpose: Purpose;
  /** The id of the row, such as a person's uid. */
  readonly of: string;
};

/** What a text is signed for, each with a key of its own. */
export type SignedFor = "erased-list" | "known-browsers";

/** `key-gone`: sealed with a key that this process was not given. */
export type Opened =
  | { readonly kind: "opened"; readonly bytes: Buffer }
  | { readonly kind: "key-gone" };

export type Sealed = {
  readonly seal: (what: SealedFor, bytes: Uint8Array) => Buffer;
  /** Throws if the sealed bytes were changed, or belong to something else. */
  readonly open: (what: SealedFor, sealed: Uint8Array) => Opened;
  /** False if it is sealed with a previous key, or with one that is gone. */
  readonly isCurrent: (sealed: Uint8Array) => boolean;
  /** HMAC-SHA256 with the current key. */
  readonly sign: (what: SignedFor, text: string) => Buffer;
  /** Whether one of the keys signed the text. */
  readonly isSigned: (what: SignedFor, text: string, signature: Uint8Array) => boolean;
};

/** The keys from outside: values are sealed with the current one and opened with any of them. */
export type SecretKeys = {
  readonly current: Uint8Array;
  readonly previous: readonly Uint8Array[];
};

export const SECRET_KEY_BYTES = 32;

const MAGIC = Buffer.from("CLS1", "latin1");
const KEY_ID_BYTES = 8;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const NONCE_AT = MAGIC.length + KEY_ID_BYTES;
const HEADER_BYTES = NONCE_AT + NONCE_BYTES;
const CIPHER = "aes-256-gcm";

type OutsideKey = {
  readonly id: Buffer;
  readonly forPurpose: (purpose: Purpose) => Buffer;
  readonly sign: (what: SignedFor, text: string) => Buffer;
};

/** A short name of a key, which tells nothing about it. */
export function secretKeyId(secret: Uint8Array): string {
  return derive(secret, "id", KEY_ID_BYTES).toString("hex");
}

/** The id of the key that a value is sealed with. */
export function sealedKeyId(sealed: Uint8Array): string {
  return Buffer.from(sealed.subarray(MAGIC.length, NONCE_AT)).toString("hex");
}

export function createSealed({ current, previous }: SecretKeys): Sealed {
  const now = outsideKey(current);
  const keys = [now, ...previous.map(outsideKey)];
  return {
    seal(what, bytes) {
      const header = Buffer.concat([MAGIC, now.id, randomBytes(NONCE_BYTES)]);
      const nonce = header.subarray(NONCE_AT);
      const cipher = createCipheriv(CIPHER, now.forPurpose(what.purpose), nonce);
      cipher.setAAD(boundTo(what, header));
      return Buffer.concat([header, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
    },
    open(what, sealed) {
      const header = sealed.subarray(0, HEADER_BYTES);
      const end = sealed.length - TAG_BYTES;
      if (end < HEADER_BYTES || !MAGIC.equals(header.subarray(0, MAGIC.length))) {
        throw broken(what);
      }
      const key = keys.find(({ id }) => id.equals(header.subarray(MAGIC.length, NONCE_AT)));
      if (key === undefined) {
        return { kind: "key-gone" };
      }
      const nonce = header.subarray(NONCE_AT);
      const decipher = createDecipheriv(CIPHER, key.forPurpose(what.purpose), nonce, {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(boundTo(what, header));
      decipher.setAuthTag(sealed.subarray(end));
      try {
        const bytes = [decipher.update(sealed.subarray(HEADER_BYTES, end)), decipher.final()];
        return { kind: "opened", bytes: Buffer.concat(bytes) };
      } catch {
        throw broken(what);
      }
    },
    isCurrent: (sealed) => now.id.equals(sealed.subarray(MAGIC.length, NONCE_AT)),
    sign: (what, text) => now.sign(what, text),
    isSigned: (what, text, signature) =>
      keys.some((key) => {
        const own = key.sign(what, text);
        return own.length === signature.length && timingSafeEqual(own, signature);
      }),
  };
}

function broken({ purpose, of }: SealedFor): Error {
  return new Error(`The sealed ${purpose} of ${of} was changed: it cannot be opened`);
}

function boundTo({ purpose, of }: SealedFor, header: Uint8Array): Buffer {
  return Buffer.concat([header, Buffer.from(`${purpose}\n${of}`)]);
}

function outsideKey(secret: Uint8Array): OutsideKey {
  const known = new Map<string, Buffer>();
  const keyFor = (use: string): Buffer => {
    const key = known.get(use) ?? derive(secret, use, SECRET_KEY_BYTES);
    known.set(use, key);
    return key;
  };
  return {
    id: derive(secret, "id", KEY_ID_BYTES),
    forPurpose: (purpose) => keyFor(`seal ${purpose}`),
    sign: (what, text) =>
      createHmac("sha256", keyFor(`sign ${what}`))
        .update(text)
        .digest(),
  };
}

function derive(secret: Uint8Array, what: string, length: number): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", `consignment-ledger ${what}`, length));
}
