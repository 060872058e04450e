// Hashes and checks passwords as argon2id strings, off the main thread, a few at a time.
import { argon2, randomBytes, timingSafeEqual } from "node:crypto";

/** `memory` in KiB, as the standard string form names them. */
export type PasswordCost = {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
};

export const PASSWORD_COST: PasswordCost = { memory: 19_456, passes: 2, parallelism: 1 };
const TAG_LENGTH = 32;
const SALT_LENGTH = 16;
const MAX_AT_ONCE = 2;

export type PasswordCheck = {
  readonly matches: boolean;
  /** True if the stored hash was made with other costs and should be made again. */
  readonly outdated: boolean;
};

/** "first" overtakes "in order", so that known people do not queue behind strangers' guesses. */
export type Turn = "first" | "in order";

export type Passwords = {
  /** `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
  readonly hash: (password: string, turn?: Turn) => Promise<string>;
  /** Without a stored hash, a dummy is checked, so that an unknown account takes as long as a wrong password. */
  readonly verify: (
    password: string,
    stored: string | undefined,
    turn?: Turn,
  ) => Promise<PasswordCheck>;
};

type Parsed = PasswordCost & { readonly salt: Buffer; readonly tag: Buffer };

/** Hashing takes a thread and 19 MiB each: more than a few at once would starve everything else. */
export function createPasswords(cost: PasswordCost = PASSWORD_COST): Passwords {
  const inTurn = createTurns(MAX_AT_ONCE);
  const dummy: Parsed = { ...cost, salt: randomBytes(SALT_LENGTH), tag: randomBytes(TAG_LENGTH) };
  return {
    hash(password, turn = "in order") {
      return inTurn(turn, async () => {
        const salt = randomBytes(SALT_LENGTH);
        const tag = await derive(password, { ...cost, salt, tagLength: TAG_LENGTH });
        return format({ ...cost, salt, tag });
      });
    },
    verify(password, stored, turn = "in order") {
      return inTurn(turn, async () => {
        const known = stored === undefined ? dummy : parse(stored);
        const tag = await derive(password, { ...known, tagLength: known.tag.length });
        const equal = timingSafeEqual(tag, known.tag);
        const outdated =
          known.memory !== cost.memory ||
          known.passes !== cost.passes ||
          known.parallelism !== cost.parallelism;
        return { matches: equal && stored !== undefined, outdated };
      });
    },
  };
}

function derive(
  password: string,
  cost: PasswordCost & { readonly salt: Buffer; readonly tagLength: number },
): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  argon2(
    "argon2id",
    {
      // Different keyboards may type the same letter as different code points.
      message: password.normalize("NFKC"),
      nonce: cost.salt,
      parallelism: cost.parallelism,
      tagLength: cost.tagLength,
      memory: cost.memory,
      passes: cost.passes,
    },
    (error, tag) => {
      if (error === null) {
        resolve(tag);
      } else {
        reject(error);
      }
    },
  );
  return promise;
}

function format({ memory, passes, parallelism, salt, tag }: Parsed): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`;
}

function unpadded(bytes: Buffer): string {
  return bytes.toString("base64").replaceAll("=", "");
}

function parse(stored: string): Parsed {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(stored);
  const [, memory, passes, parallelism, salt, tag] = match ?? [];
  if (salt === undefined || tag === undefined) {
    throw new Error("A stored password hash is not an argon2id string");
  }
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, "base64"),
    tag: Buffer.from(tag, "base64"),
  };
}

/** Lets `atOnce` tasks run while the others wait in order, with "first" ones before the rest. */
function createTurns(
  atOnce: number,
): <Result>(turn: Turn, work: () => Promise<Result>) => Promise<Result> {
  const queues: Readonly<Record<Turn, (() => void)[]>> = { first: [], "in order": [] };
  let running = 0;
  return async (turn, work) => {
    if (running >= atOnce) {
      const waiting = Promise.withResolvers<void>();
      queues[turn].push(waiting.resolve);
      await waiting.promise;
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = queues.first.shift() ?? queues["in order"].shift();
      if (next === undefined) {
        running -= 1;
      } else {
        next();
      }
    }
  };
}
