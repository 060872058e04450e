// Keeps the store's own name from people: what consignors read under it must be the store's. And which names look alike.
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
  ["d", /[ԁɗᴅ]/gu],
  ["g", /[ɡցɢ]/gu],
  ["h", /[һнʜ]/gu],
  ["i", /[іιı1l]/gu],
  ["j", /[јϳᴊ]/gu],
  ["k", /[кκᴋ]/gu],
  ["m", /[мᴍ]/gu],
  ["n", /[пոɴ]/gu],
  ["p", /[рρᴘ]/gu],
  ["q", /[ԛզ]/gu],
  ["u", /[υսᴜ]/gu],
  ["v", /[νѵᴠ]/gu],
  ["w", /[ԝѡᴡ]/gu],
  ["x", /[хχ]/gu],
  ["y", /[уγʏ]/gu],
];

/** What of a name remains to compare, with one letter for all that look like it. */
function foldedLetters(name: string): string {
  return LOOKS_LIKE.reduce(
    (folded, [letter, characters]) => folded.replaceAll(characters, letter),
    lettersOf(name),
  );
}

function bareLetters(name: string): string {
  return foldedLetters(name).replace(/^the(?=.)/u, "");
}

/** Whether people would take one name for the other. Names without letters look alike only if they are the same. */
export function looksLike(one: string, other: string): boolean {
  const letters = foldedLetters(one);
  return letters === "" ? one.trim() === other.trim() : letters === foldedLetters(other);
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
