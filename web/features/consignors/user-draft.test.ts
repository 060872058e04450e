// Holds the edit form to sending what was changed and nothing else.
import { expect, it } from "vitest";
import { changesOf, draftOf } from "./user-draft.ts";

const avery = {
  uid: "avery-uid-of-20-letters",
  name: "Avery Stone",
  displayName: "Avery Stone",
  email: "avery@people.test",
  username: null,
  role: "user",
} as const;

it("sends nothing where nothing was changed", () => {
  expect(changesOf(avery, draftOf(avery))).toEqual({});
});

it("sends what was changed, and the reason with it", () => {
  const draft = { ...draftOf(avery), role: "admin", reason: " Helps on Saturdays " } as const;
  expect(changesOf(avery, draft)).toEqual({ role: "admin", reason: "Helps on Saturdays" });
});

it("takes a name away, but never an e-mail or username silently", () => {
  const draft = { ...draftOf({ ...avery, username: "avery" }), displayName: "", username: "" };
  expect(changesOf({ ...avery, username: "avery" }, draft)).toEqual({
    displayName: "",
    username: "",
  });
});
