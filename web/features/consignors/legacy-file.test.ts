// Tests that an export of the old app is read, cut into parts, and refused if it cannot be loaded.
import { describe, expect, it } from "vitest";
import { readLegacyText } from "./legacy-file.ts";

const read = (users: readonly unknown[]) => readLegacyText(JSON.stringify({ users }));

describe("an export of the old app", () => {
  it("is sent in parts that fit into a call, in its order", () => {
    const users = Array.from({ length: 1201 }, (_, index) => ({ id: `old-${index}` }));
    const file = read(users);
    expect(file.kind === "accounts" && file.parts.map((part) => part.length)).toEqual([
      500, 500, 201,
    ]);
    expect(file.kind === "accounts" && file.parts.flat()).toEqual(users);
    const large = ["a", "b"].map((id) => ({ id, note: "x".repeat(400_000) }));
    expect(read(large)).toEqual({ kind: "accounts", parts: [[large[0]], [large[1]]] });
  });

  it("is refused if it is none, has an account twice, or one that is too large", () => {
    expect(readLegacyText("no JSON")).toMatchObject({ kind: "problem" });
    expect(read([])).toMatchObject({ kind: "problem" });
    expect(read([{ email: "a@old.test" }, { email: "a@old.test" }])).toMatchObject({
      sentence: "The account a@old.test is in the file twice.",
    });
    expect(read([{ id: "a", note: "x".repeat(600_001) }])).toMatchObject({ kind: "problem" });
  });
});
