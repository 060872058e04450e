// Keeps the names of the store and of the program from people: what others read under them must be theirs. And which names
// look alike.
import { HttpError } from "#http/errors.ts";
import { LOOK_ALIKES } from "#http/look-alike-letters.ts";
import type { StoreFacts } from "#http/store-facts.ts";
import { STANDS_FOR_STORE } from "#ledger/fields.ts";

const LETTERS: ReadonlyMap<string, string> = new Map(
  Object.entries(LOOK_ALIKES).flatMap(([letter, characters]) =>
    Array.from(characters, (character) => [character, letter] as const),
  ),
);

/** With one letter for all that look like it. */
function folded(text: string): string {
  return text.replaceAll(/./gsu, (character) => LETTERS.get(character) ?? character);
}

/**
 * What of a name remains to compare: small letters as they follow from its letters as they are written, and as they
 * follow from its small letters. The Greek capital "Ν" looks like an N, but its small letter like a v.
 */
function formsOf(name: string): readonly [string, string] {
  const plain = name.normalize("NFKD").replaceAll(/\p{M}/gu, "");
  const bare = (text: string) =>
    folded(folded(text).toLowerCase()).replaceAll(/[^\p{L}\p{N}]/gu, "");
  return [bare(plain), bare(plain.toLowerCase())];
}

function withoutArticle(form: string): string {
  return form.replace(/^the(?=.)/u, "");
}

/** Whether a name passes for the store's, also without its article, its spaces and its accents. */
export function passesForStore(name: string, storeName: string): boolean {
  const letters = new Set(formsOf(storeName).map(withoutArticle));
  return formsOf(name)
    .map(withoutArticle)
    .some((form) => form !== "" && letters.has(form));
}

/** Whether people would take one name for the other. Names without letters look alike only if they are the same. */
export function looksLike(one: string, other: string): boolean {
  const forms = formsOf(other).filter((form) => form !== "");
  return forms.length === 0
    ? one.trim() === other.trim()
    : formsOf(one).some((form) => forms.includes(form));
}

const STANDS_FOR_PROGRAM = "This name stands for the program. Choose another one";

/** How names begin that only the program writes: "System: trades" where it acted itself, and whoever has left. */
const PROGRAM_NAMES = ["System", "Deleted user"].flatMap(formsOf);

/** Why nobody may be called this; null for a name of a person. */
function refusalOf(name: string, storeName: string): string | null {
  if (passesForStore(name, "Store") || passesForStore(name, storeName)) {
    return STANDS_FOR_STORE;
  }
  const isProgram = formsOf(name).some((form) =>
    PROGRAM_NAMES.some((beginning) => withoutArticle(form).startsWith(beginning)),
  );
  return isProgram ? STANDS_FOR_PROGRAM : null;
}

/** Refuses what passes for the store or the program: 400 `validation_failed`, as a contract does. Undefined and null are not names. */
export async function refuseFalseName(
  store: Pick<StoreFacts, "name">,
  names: Readonly<Record<string, string | null | undefined>>,
): Promise<void> {
  const typed = Object.entries(names).filter(([, name]) => (name ?? "") !== "");
  if (typed.length === 0) {
    return;
  }
  const storeName = await store.name();
  for (const [path, name] of typed) {
    const message = refusalOf(name ?? "", storeName);
    if (message !== null) {
      throw new HttpError(400, "validation_failed", message, { details: [{ path, message }] });
    }
  }
}

/** A provider's person without a name that would be refused: nobody is there to type another one. */
export async function withoutFalseName<Person extends { readonly displayName: string | null }>(
  store: Pick<StoreFacts, "name">,
  person: Person,
): Promise<Person> {
  const { displayName } = person;
  return displayName !== null && refusalOf(displayName, await store.name()) !== null
    ? { ...person, displayName: null }
    : person;
}
