// Tests that the edit form sends only what was changed.
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

it("sends nothing if nothing was changed", () => {
  expect(changesOf(avery, draftOf(avery))).toEqual({});
});

it("sends what was changed, with the reason", () => {
  const draft = { ...draftOf(avery), role: "admin", reason: " Helps on Saturdays " } as const;
  expect(changesOf(avery, draft)).toEqual({ role: "admin", reason: "Helps on Saturdays" });
});

it("can remove a name, but never silently removes an email or username", () => {
  const draft = { ...draftOf({ ...avery, username: "avery" }), displayName: "", username: "" };
  expect(changesOf({ ...avery, username: "avery" }, draft)).toEqual({
    displayName: "",
    username: "",
  });
});
