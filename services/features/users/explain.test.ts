// How a user's history reads: the texts that are still kept, and roles by their names on screen.
import { describe, expect, test } from "vitest";
import type { ChangedText, Histories } from "#features/histories.ts";
import { userEvents } from "#features/users/events.ts";
import { userExplanations } from "#features/users/explain.ts";
import { explained, readIn } from "#ledger/explain.ts";

const register = new Map(
  explained<typeof userEvents, Histories>(userEvents, userExplanations).map((event) => [
    event.definition.type,
    event,
  ]),
);
const uid = "avery-000000000000001";
const changeId = "00000000-0000-4000-8000-000000000001";
const reservation = "r".repeat(43);
const none: ChangedText = { isKept: false, before: null, after: null };

function sentence(type: string, data: object, text: ChangedText): string | undefined {
  const event = { type, schemaVersion: 1, data: { uid, noteId: null, ...data } };
  return readIn(register, "user", event, text)?.words.description;
}

describe("a change of text", () => {
  const renamed = (text: ChangedText) => sentence("UserRenamed", { changeId }, text);

  test("says what it was and what it is", () => {
    expect(renamed({ isKept: true, before: "Mia", after: "Mia M." })).toBe("Name: Mia to Mia M.");
    expect(renamed({ isKept: true, before: "", after: "Mia" })).toBe("Name: none to Mia");
    expect(renamed({ isKept: true, before: null, after: "Mia" })).toBe("Name set: Mia");
  });

  test("that was erased says so", () => {
    expect(renamed(none)).toBe("Name changed (erased)");
    expect(sentence("UserEmailChanged", { changeId }, none)).toBe("Email changed (erased)");
  });
});

test("a username from before the log comes from the profile or the next change", () => {
  const data = { changeId: null, takes: reservation, frees: null };
  const known = { isKept: false, before: null, after: "mia" };
  expect(sentence("UsernameChanged", data, known)).toBe("Username set: mia");
  expect(sentence("UsernameChanged", data, none)).toBe("Username recorded");
});

test("a user with the name admin is not shown as an admin", () => {
  const data = { changeId, takes: reservation, frees: reservation };
  const text = { isKept: true, before: "mia", after: "admin" };
  expect(sentence("UsernameChanged", data, text)).toBe("Username: mia to admin");
});

test("a role is shown by its name on screen", () => {
  const data = { before: "user", after: "admin", cause: "admin" };
  expect(sentence("UserRoleChanged", data, none)).toBe("Role: Consignor to Admin");
});
