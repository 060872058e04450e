// The field schemas that contracts and events share: money, people, instants and counts.
import * as z from "zod/mini";
import { isDay } from "#ledger/day-text.ts";
import { MAX_AMOUNT_CENTS, hasAtMostTwoDecimals } from "#ledger/money.ts";

const MAX_DOLLARS = MAX_AMOUNT_CENTS / 100;
/** The earliest instant a fact may be dated to; older dates are typing errors. */
const EARLIEST = Date.UTC(2000, 0, 1);

/**
 * Dollars as a JSON number with at most two decimals, from `minimum` to $10,000,000; `noNumber` is the message for
 * anything else, and `missing` the one for nothing.
 */
export function dollarsFrom(
  minimum: number,
  message: string,
  noNumber = "Please enter a valid amount",
  missing = noNumber,
) {
  return z.number({ error: ({ input }) => (input === undefined ? missing : noNumber) }).check(
    z.refine((dollars) => hasAtMostTwoDecimals(dollars), "An amount has at most two decimals"),
    z.minimum(minimum, message),
    z.maximum(MAX_DOLLARS, "An amount is at most $10,000,000"),
  );
}

/** Dollars of either sign, as a balance may be. */
export const signedDollars = dollarsFrom(-MAX_DOLLARS, "An amount is at least −$10,000,000");

/** Whole cents of either sign, in events. */
export const wholeCents = z.int();

/** Whole cents, zero or more, in events. */
export const centsFromZero = z.int().check(z.nonnegative());

const UID_MESSAGE = "A user id has at least 20 characters and no @";

/**
 * A person's id: 20 to 128 visible ASCII characters without `@`, and without `:`, which separates the parts of
 * account names.
 */
export const uid = z.string(UID_MESSAGE).check(z.regex(/^[!-9;-?A-~]{20,128}$/u, UID_MESSAGE));

/** The id of a thing: a lower-case UUID. */
export const uuid = z
  .string("This is not an id")
  .check(
    z.regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/u, "This is not an id"),
  );

const STORED_IMAGE =
  /^\/api\/images\/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/u;

/** Where browsers find a picture that this store keeps itself. */
export function imageAddress(id: string): string {
  return `/api/images/${id}`;
}

/** The id in such an address; null for any other address. */
export function storedImageId(address: string): string | null {
  return STORED_IMAGE.exec(address)?.[1] ?? null;
}

const INSTANT = "A date looks like 2024-05-31T14:00:00Z";

/**
 * An instant in ISO 8601 with `Z` or an offset, not before the year 2000, nor after 2099. PostgreSQL takes its text: an
 * offset is less than 16 hours.
 */
export const instant = /* @__PURE__ */ z.string(INSTANT).check(
  /* @__PURE__ */ z.regex(/^.{10}T\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-](0\d|1[0-5]):[0-5]\d)$/u, {
    error: INSTANT,
    abort: true,
  }),
  /* @__PURE__ */ z.refine(
    (text) => isDay(text.slice(0, 10)) && Date.parse(text) >= EARLIEST,
    "A date is a day of the years 2000 to 2099",
  ),
);

/** A day of the store, or an exact instant: one end of a list's period, which is included, or when something was done. */
export const periodEnd = /* @__PURE__ */ z
  .string()
  .check(
    /* @__PURE__ */ z.refine(
      (text) => isDay(text) || instant.safeParse(text).success,
      "A date looks like 2024-05-31 or 2024-05-31T14:00:00Z",
    ),
  );

const MOMENT_MESSAGE =
  "A time looks like 2024-05-31T14:00:00Z, a day like 2024-05-31, and a position is a whole number";

// PURE lets the web build leave out what no screen uses.
/** In a query string: a position of the log, an instant, or the end of a day of the store, for what was recorded up to there. */
export const moment = /* @__PURE__ */ z.union(
  [
    /* @__PURE__ */ z.pipe(
      /* @__PURE__ */ z.string().check(/* @__PURE__ */ z.regex(/^[0-9]{1,15}$/u)),
      /* @__PURE__ */ z.transform(
        (digits) => ({ kind: "position", position: Number(digits) }) as const,
      ),
    ),
    /* @__PURE__ */ z.pipe(
      instant,
      /* @__PURE__ */ z.transform((time) => ({ kind: "time", time }) as const),
    ),
    /* @__PURE__ */ z.pipe(
      /* @__PURE__ */ z.string().check(/* @__PURE__ */ z.refine(isDay)),
      /* @__PURE__ */ z.transform((day) => ({ kind: "day", day }) as const),
    ),
  ],
  MOMENT_MESSAGE,
);
export type Moment = z.output<typeof moment>;

/** Marks that belong to what stands before them: in emoji, and in scripts whose letters need joiners. */
const JOINED =
  /(?<=\p{Emoji})\uFE0F|(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D(?=\p{Extended_Pictographic})|(?<=[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}])[\u200C\u200D]/gu;
/** Characters that cannot be seen, or that turn the direction of what follows; U+2800 is a blank that counts as visible. */
const HIDDEN_CHARACTER = /[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800]/u;

/** Whether a text looks other than it is: a name must not pass for another one. */
export function hasHiddenCharacters(value: string): boolean {
  return HIDDEN_CHARACTER.test(value) && HIDDEN_CHARACTER.test(value.replace(JOINED, ""));
}

/** The text without such characters. */
function withoutHiddenCharacters(value: string): string {
  return hasHiddenCharacters(value)
    ? value.replaceAll(new RegExp(HIDDEN_CHARACTER, "gu"), "")
    : value;
}

const HIDDEN_MESSAGE = "This has invisible characters";

/** What a person searches for: trimmed, without control characters, at most `maximum` characters. */
export function searchText(maximum: number, message: string) {
  return z.string(message).check(
    z.trim(),
    z.maxLength(maximum, `At most ${maximum} characters`),
    // Control characters are never typed, PostgreSQL cannot store NUL, and unpaired surrogates are not text.
    z.refine(
      (value) => !/[^\P{Cc}\t\n\r]/u.test(value) && value.isWellFormed(),
      "Text has no control characters",
    ),
  );
}

/** Text that a person types and others read, `minimum` to `maximum` characters. Nothing in it is hidden. */
export function text(minimum: number, maximum: number, message: string) {
  return searchText(maximum, message).check(
    z.minLength(minimum, message),
    z.refine((value) => !hasHiddenCharacters(value), HIDDEN_MESSAGE),
  );
}

/** The text as everybody sees it, in one line; empty if nothing of it can be seen. */
export function withoutHidden(value: string): string {
  const visible = withoutHiddenCharacters(value).replaceAll(/\p{Cc}/gu, "");
  return visible.trim() === "" ? "" : visible;
}

/** The name of a person or a store, which others read and trust; may be empty. */
export const honestName = z.refine<string>(
  (value) => withoutHidden(value) === value,
  "A name has only visible characters",
);

/** Characters that look like letters of "store" in common typefaces, by the letter. */
const LOOKS_LIKE: ReadonlyMap<string, RegExp> = new Map([
  ["s", /[ѕꜱ5$]/gu],
  ["t", /[тτᴛ7†]/gu],
  ["o", /[оοօᴏ0ø]/gu],
  ["r", /[гᴦʀ]/gu],
  ["e", /[еєҽ3ᴇ]/gu],
]);

/**
 * More than any name here may have. A longer text is looked at too, although it is refused for its length, and to bring
 * the accents of a megabyte into their order takes minutes.
 */
const LONGEST_NAME = 500;

/** Whether a name passes for the name that consignors read for the store's admins. */
export function readsAsStore(value: string): boolean {
  return value.length <= LONGEST_NAME && /^(?:the)?store$/u.test(lettersOf(value));
}

/** What of a name remains to compare with "store": small letters without accents, and one for all that look like it. */
function lettersOf(value: string): string {
  const plain = value.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  const letters = [...LOOKS_LIKE].reduce(
    (folded, [letter, characters]) => folded.replaceAll(characters, letter),
    plain,
  );
  // An expression that skips what stands between any two letters would take minutes for a long text.
  return letters.replaceAll(/[^\p{L}\p{N}]/gu, "");
}

export const STANDS_FOR_STORE = "This name stands for the store. Choose another one";

/** A person's display name: nobody may pass for the store. Its own name is refused by the calls, which know it and more letters. */
export const personName = z.refine<string>((value) => !readsAsStore(value), STANDS_FOR_STORE);

/** As `text`, in one line without invisible characters, such as those that turn its direction. */
export function visibleLine(minimum: number, maximum: number, message: string, what: string) {
  return text(minimum, maximum, message).check(
    z.refine(
      (value) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(value),
      `${what} is one line of visible characters`,
    ),
  );
}

/**
 * A name in a request that a till may have queued before it was updated: hidden characters are left out, because a refusal
 * would lose the sale.
 */
export function queuedText(minimum: number, maximum: number, message: string) {
  return searchText(maximum, message).check(
    z.overwrite(withoutHiddenCharacters),
    z.minLength(minimum, message),
  );
}

/** The text in one line: each run of breaks, tabs and other control characters becomes one space. */
export function inOneLine(value: string): string {
  return value.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();
}

/** As `queuedText`, in one line. */
export function queuedLine(minimum: number, maximum: number, message: string) {
  return searchText(maximum, message).check(
    z.overwrite((value) => withoutHiddenCharacters(inOneLine(value))),
    z.minLength(minimum, message),
  );
}

/** A whole count from `minimum` to a million. */
export function wholeCount(minimum: number, message: string) {
  return z
    .int("Quantity must be a whole number")
    .check(z.minimum(minimum, message), z.maximum(1_000_000, "A quantity is at most 1,000,000"));
}

/** The `nextCursor` of a list whose cursors hold the place of its last row. */
export const placeCursor = /* @__PURE__ */ z.optional(
  /* @__PURE__ */ z.string().check(/* @__PURE__ */ z.maxLength(2000, "This cursor is unknown")),
);

/** A page size in a query string: 1 to `maximum`, `fallback` if it is missing. */
export function pageLimit(fallback: number, maximum: number) {
  return z._default(
    z.pipe(
      z.string().check(z.regex(/^[0-9]{1,6}$/u, "A limit is a whole number")),
      z.pipe(
        z.transform(Number),
        z
          .int()
          .check(
            z.minimum(1, "A limit is at least 1"),
            z.maximum(maximum, `A limit is at most ${maximum}`),
          ),
      ),
    ),
    fallback,
  );
}
