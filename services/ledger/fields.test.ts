// Names look like what they are, in every script that people write.
import { describe, expect, it } from "vitest";
import { queuedLine, visibleLine, withoutHidden } from "#ledger/fields.ts";

describe("a name", () => {
  it.each(["Zoë Ångström", "O’Neil-Smith, Jr.", "علی‌رضا", "क्‍ष", "王小明", "👩‍👩‍👧 Shop", "❤️", ""])(
    "keeps %j",
    (name) => {
      expect(withoutHidden(name)).toBe(name);
    },
  );

  it.each([
    ["a reversed part", "Ann\u202Egnp", "Anngnp"],
    ["an isolate", "Ann\u2066x\u2069", "Annx"],
    ["a direction mark", "Ann\u200F", "Ann"],
    ["a space without width", "A\u200Bnn", "Ann"],
    ["a soft hyphen", "A\u00ADnn", "Ann"],
    ["a tag", "Ann\u{E0041}", "Ann"],
    ["a line break", "A\u2028nn\n", "Ann"],
    ["nothing to see", "\u3164\u200D", ""],
  ])("loses %s", (_what, name, visible) => {
    expect(withoutHidden(name)).toBe(visible);
  });
});

describe("an item's name", () => {
  it("is one line: a till's queued one is cleaned, others are refused", () => {
    const queued = queuedLine(1, 200, "Name it");
    for (const [name, kept] of [
      ["x\r\nBcc: a@b.c", "x Bcc: a@b.c"],
      ["Desk\u2028lamp", "Desk lamp"],
      ["Desk \u202Epmal", "Desk pmal"],
    ] as const) {
      expect(queued.parse(name)).toBe(kept);
      expect(visibleLine(1, 200, "Name it", "A name").safeParse(name).success).toBe(false);
    }
    expect(queued.safeParse("\u202E").success).toBe(false);
  });
});
