// Names look like what they are, in every script that people write.
import { describe, expect, it } from "vitest";
import { queuedLine, readsAsStore, visibleLine, withoutHidden } from "#ledger/fields.ts";

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

describe("a name that passes for the store", () => {
  it.each(["Store", "The Store", " s.t-o_r e!", "5t0rє", "Ｓｔｏｒｅ"])("is %j", (name) => {
    expect(readsAsStore(name)).toBe(true);
  });

  it.each(["Stores", "Storey", "My Store", "Stor", ""])("is not %j", (name) => {
    expect(readsAsStore(name)).toBe(false);
  });

  it("is told apart at once from one that is as long as a request may be", () => {
    for (const sign of ["!", "s", "s!", "the ", "e\u0301\u0323"]) {
      expect(readsAsStore(sign.repeat(1_000_000 / sign.length))).toBe(false);
    }
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
