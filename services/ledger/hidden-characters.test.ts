// Names are what they look like: nothing in them is hidden or turns around what follows, and emoji stay whole.
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { hasHiddenCharacters, queuedText, searchText, text } from "#ledger/fields.ts";

test.each([
  ["turned around", "Avery \u202Eenots"],
  ["isolated", "Avery\u2066 Stone"],
  ["marked", "Avery\u200E Stone"],
  ["with a blank that has no width", "Ave\u200Bry"],
  ["with a joiner that joins nothing", "Ave\u200Dry"],
  ["with a joiner at its end", "Avery\u200D"],
  ["with a soft hyphen", "Ave\u00ADry"],
  ["with a filler", "Avery\u3164"],
  ["with a blank pattern of dots", "Avery\u2800"],
  ["with a byte order mark", "Avery\uFEFF"],
  ["with hidden tags", "Avery\u{E0041}\u{E0042}"],
  ["with a variation of a letter", "Avery\uFE0E"],
  ["with a line separator", "Avery\u2028Stone"],
])("a name %s is refused", (_, name) => {
  expect(z.safeParse(text(1, 100, "Text"), `${name}x`).success).toBe(false);
  expect(z.parse(queuedText(1, 100, "Text"), `${name}x`)).not.toContain(name);
});

test.each([
  "Avery Stone",
  "Zo\u00EB M\u00FCller-\u0141ukasz",
  "\u5C71\u7530 \u592A\u90CE",
  "\u0645\u06CC\u200C\u0644\u0627",
  "\u0DC1\u0DCA\u200D\u0DBB\u0DD3",
  "\u{1F469}\u{1F3FD}\u200D\u{1F33E} Farm",
  "\u{1F3F3}\uFE0F\u200D\u{1F308} \u2764\uFE0F 1\uFE0F\u20E3",
  "Two\nlines",
])("%j is taken as it is", (name) => {
  expect(hasHiddenCharacters(name)).toBe(false);
  expect(z.parse(text(1, 100, "Text"), name)).toBe(name);
  expect(z.parse(queuedText(1, 100, "Text"), name)).toBe(name);
});

test("what is searched for may have such characters, because it was pasted", () => {
  expect(z.parse(searchText(100, "Text"), " Ave\u200Bry ")).toBe("Ave\u200Bry");
});
