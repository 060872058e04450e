// The forms of names: ItemReserved, reserveItem, reserve-item, sales_per_item, "Sales per item".
import { NewProblem } from "./tree.ts";

/** "ItemReserved", "sales_per_item" and "sales-per-item" alike, as lower-case words. */
function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/gu, "$1 $2")
    .split(/[\s_-]+/u)
    .map((word) => word.toLowerCase());
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

export const pascal = (name: string): string => wordsOf(name).map(capital).join("");
export const kebab = (name: string): string => wordsOf(name).join("-");
export const sentence = (name: string): string => capital(wordsOf(name).join(" "));

const SMALL_WORDS = new Set([
  "a",
  "and",
  "at",
  "by",
  "for",
  "in",
  "of",
  "on",
  "or",
  "per",
  "the",
  "to",
]);

/** "Sales per Item", as titles and navigation entries are written. */
export const titleCase = (name: string): string =>
  wordsOf(name)
    .map((word, index) => (index > 0 && SMALL_WORDS.has(word) ? word : capital(word)))
    .join(" ");

/** "an item", "a sale", "a user" */
export const withArticle = (word: string): string =>
  `${/^(?:[aeio]|u(?!s))/u.test(word) ? "an" : "a"} ${word}`;

export function camel(name: string): string {
  const joined = pascal(name);
  return joined.charAt(0).toLowerCase() + joined.slice(1);
}

/** Past tenses that do not end in -ed. */
const irregular =
  "Begun|Bought|Broken|Brought|Built|Chosen|Cut|Done|Drawn|Forgotten|Found|Frozen|Given|Gone|Held|Hidden|Kept|Laid|" +
  "Left|Lent|Lost|Made|Met|Paid|Put|Read|Sent|Set|Shown|Sold|Spent|Split|Sunk|Taken|Thrown|Told|Withdrawn|Won|Written";

const forms = {
  event: [
    new RegExp(`^(?:[A-Z][a-z]+)+(?:[A-Z][a-z]*ed|${irregular})(?:[A-Z][a-z]+)*$`, "u"),
    "what it is about and then a past tense, such as ItemReserved, ItemSold or ItemLaidAway (scripts/new/names.ts lists those without -ed)",
  ],
  definedEvent: [/^[A-Za-z]\w*$/u, "the name of an event, such as SaleRecorded"],
  command: [/^(?:[A-Z][a-z]+){2,}$/u, "a verb and what it is about, such as ReserveItem"],
  projection: [/^[a-z]+(?:_[a-z]+)*$/u, "lower case with underscores, such as sales_per_item"],
  screen: [/^[a-z]+(?:-[a-z]+)*$/u, "lower case with hyphens, such as sales-per-item"],
  name: [
    /^[a-z]+(?:_[a-z]+)*_(?:holding|account)$/u,
    "what it is and holding or account, such as reservation_holding",
  ],
  prefix: [/^[a-z][a-z-]*:$/u, 'a word with a colon, such as "reservation:"'],
  words: [/^[a-z]+(?: [a-z]+)*$/u, "lower-case words after the item's name, such as reserved"],
  suffix: [/^:[a-z][a-z-]*$/u, 'a colon with a word, such as ":escrow"'],
  call: [/^(?:\/[a-z]+(?:-[a-z]+)*){2,}$/u, "an address below /api, such as /inventory/reserve"],
  file: [/^[a-z]+(?:-[a-z]+)*$/u, "what its files are about, such as reservation"],
  group: [/^[A-Z][a-z]+$/u, "a group of web/shell/places.ts, such as Books"],
  feature: [/^[a-z]+(?:-[a-z]+)*$/u, "lower case with hyphens, such as inventory"],
} as const;

/** Returns the name if it has the form of its kind. */
export function checked(kind: keyof typeof forms, name: string | undefined): string {
  const [form, example] = forms[kind];
  if (name === undefined || !form.test(name)) {
    throw new NewProblem(
      name === undefined
        ? `The ${kind} needs a name: ${example}`
        : `${name} is not a valid name for ${kind === "event" ? "an" : "a"} ${kind}: use ${example}`,
    );
  }
  return name;
}
