// Tests that a secret is read from the address under its own name only.
import { expect, it } from "vitest";
import { linkTokenIn, linkTokenNow } from "./link-token.ts";

it("reads the secret with its name", () => {
  expect(linkTokenIn("#setup=ab_c-9", "setup")).toBe("ab_c-9");
  expect(linkTokenIn("#token=0f.1.x", "token")).toBe("0f.1.x");
});

it.each(["", "#setup=", "#setup=a b", "#other=ab", "setup=ab", `#setup=${"a".repeat(201)}`])(
  "takes %j for no set-up link",
  (hash) => {
    expect(linkTokenIn(hash, "setup")).toBeUndefined();
  },
);

it("a link that arrives replaces the one that the tab kept, also one of another kind", () => {
  expect(linkTokenNow("", "invitation", "kept")).toBe("kept");
  expect(linkTokenNow("#invitation=new", "invitation", "kept")).toBe("new");
  expect(linkTokenNow("#token=reset", "invitation", "kept")).toBeUndefined();
  expect(linkTokenNow("#token=reset", "token", undefined)).toBe("reset");
});
