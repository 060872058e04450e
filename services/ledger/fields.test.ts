// Names look like what they are, in every script that people write.
import { describe, expect, it } from "vitest";
import { withoutHidden } from "#ledger/fields.ts";

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
