// Keeps the store's own name from people: what consignors read under it must be the store's.
import { HttpError } from "#http/errors.ts";
import type { StoreFacts } from "#http/store-facts.ts";
import { lettersOf, STANDS_FOR_STORE } from "#ledger/fields.ts";

/** Whether a name passes for the store's, also without its article, its spaces and its accents. */
export function passesForStore(name: string, storeName: string): boolean {
  const letters = bareLetters(storeName);
  return letters !== "" && bareLetters(name) === letters;
}

/** Characters that look like further letters, which "store" does not have. */
const LOOKS_LIKE: readonly (readonly [string, RegExp])[] = [
  ["a", /[аαᴀ4]/gu],
  ["b", /[ьв8]/gu],
  ["c", /[сϲᴄ]/gu],
  ["h", /[һнʜ]/gu],
  ["i", /[іιı1l]/gu],
  ["k", /[кκᴋ]/gu],
  ["m", /[мᴍ]/gu],
  ["n", /[пɴ]/gu],
  ["p", /[рρᴘ]/gu],
  ["u", /[υսᴜ]/gu],
  ["x", /[хχ]/gu],
  ["y", /[уγʏ]/gu],
];

function bareLetters(name: string): string {
  const letters = LOOKS_LIKE.reduce(
    (folded, [letter, characters]) => folded.replaceAll(characters, letter),
    lettersOf(name),
  );
  return letters.replace(/^the(?=.)/u, "");
}

/** Throws 400 `validation_failed` as a contract does. Undefined and null are not names. */
export async function refuseStoreName(
  store: Pick<StoreFacts, "name">,
  names: Readonly<Record<string, string | null | undefined>>,
): Promise<void> {
  const typed = Object.entries(names).filter(([, name]) => (name ?? "") !== "");
  if (typed.length === 0) {
    return;
  }
  const storeName = await store.name();
  for (const [path, name] of typed) {
    if (passesForStore(name ?? "", storeName)) {
      const details = [{ path, message: STANDS_FOR_STORE }];
      throw new HttpError(400, "validation_failed", STANDS_FOR_STORE, { details });
    }
  }
}

/** A provider's person without a name that passes for the store's: nobody is there to type another one. */
export async function withoutStoreName<Person extends { readonly displayName: string | null }>(
  store: Pick<StoreFacts, "name">,
  person: Person,
): Promise<Person> {
  const { displayName } = person;
  return displayName !== null && passesForStore(displayName, await store.name())
    ? { ...person, displayName: null }
    : person;
}
