// Tests that the edit form sends only what was changed.
import { expect, it } from "vitest";
import { changesOf, draftOf, emptiedFields } from "./user-draft.ts";

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
  const named = { ...avery, username: "avery" };
  const draft = { ...draftOf(named), displayName: "", username: "", email: " " };
  expect(changesOf(named, draft)).toMatchObject({ displayName: null });
  expect(emptiedFields(named, draft)).toEqual({
    email: "Invalid email address.",
    username: "Username must be 3-20 characters (letters, numbers, hyphens, underscores)",
  });
  expect(emptiedFields(avery, draftOf(avery))).toEqual({});
});
