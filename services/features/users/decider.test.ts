// Specs of changing a user: given what happened, when a change is requested, then what.
import { describe, expect, test } from "vitest";
import { setBalance } from "#features/accounts/decider.ts";
import { addItem } from "#features/inventory/decider.ts";
import type { ChangeUser } from "#features/users/decider.ts";
import { changeUser, makeFirstAdmin } from "#features/users/decider.ts";
import { deactivateUser } from "#features/users/decider-deactivate.ts";
import {
  ADMINS,
  adminsStream,
  usernameStream,
  usernameStreamId,
  userStream,
  userStreamId,
} from "#features/users/streams.ts";
import { memoryBooks } from "#testing/shop/memory-books.ts";

const avery = "avery-000000000000001";
const blake = "blake-000000000000002";
const noon = "2024-05-31T12:00:00.000Z";
const noteId = "00000000-0000-4000-8000-000000000009";
const changeId = "00000000-0000-4000-8000-000000000008";
const itemId = "00000000-0000-4000-8000-000000000001";
const OWL = "owl".padEnd(43, "x");
const FOX = "fox".padEnd(43, "x");

function asking(given: Partial<ChangeUser> = {}): ChangeUser {
  return {
    uid: avery,
    role: null,
    username: null,
    emailChangeId: null,
    displayNameChangeId: null,
    noteId: null,
    happenedAt: noon,
    ...given,
  };
}

function newBooks() {
  return memoryBooks();
}

function booksWithAdmin() {
  const books = newBooks();
  books.when(makeFirstAdmin, {
    uid: avery,
    cause: "set-up-link",
    timeZone: null,
    happenedAt: noon,
  });
  return books;
}

describe("roles", () => {
  test("the first admin can be made while there is none, but never a second one that way", () => {
    const books = newBooks();
    expect(
      books.when(makeFirstAdmin, {
        uid: avery,
        cause: "set-up-link",
        timeZone: null,
        happenedAt: noon,
      }).added,
    ).toMatchObject([
      {
        type: "UserRoleChanged",
        data: { uid: avery, before: "user", after: "admin", cause: "set-up-link", noteId: null },
        streams: [userStreamId(avery), ADMINS],
        postings: [],
        movements: [],
        happenedAt: noon,
      },
    ]);
    for (const uid of [avery, blake]) {
      expect(
        books.when(makeFirstAdmin, { uid, cause: "set-up-link", timeZone: null, happenedAt: noon }),
      ).toMatchObject({
        kind: "rejected",
        code: "admin_exists",
      });
    }
  });

  test("an admin makes another one, who may then be the only one", () => {
    const books = booksWithAdmin();
    const made = books.when(changeUser, asking({ uid: blake, role: "admin", noteId }));
    expect(made.added[0]?.data).toEqual({
      uid: blake,
      before: "user",
      after: "admin",
      cause: "admin",
      noteId,
    });
    expect(books.when(changeUser, asking({ role: "user" })).kind).toBe("accepted");
    expect(books.stream(adminsStream, ADMINS).state.uids).toEqual([blake]);
    expect(books.when(changeUser, asking({ uid: blake, role: "user" }))).toMatchObject({
      kind: "rejected",
      status: 409,
      code: "last_admin",
      added: [],
    });
  });

  test("setting the same role again appends no event", () => {
    const books = booksWithAdmin();
    expect(books.when(changeUser, asking({ role: "admin" })).added).toEqual([]);
    expect(books.when(changeUser, asking({ uid: blake, role: "user" })).added).toEqual([]);
  });
});

describe("usernames", () => {
  const wanting = (uid: string, reservation: string) =>
    asking({ uid, username: { reservation, changeId } });

  test("a name belongs to one person, and is free again after a change", () => {
    const books = newBooks();
    expect(books.when(changeUser, wanting(avery, OWL)).added[0]).toMatchObject({
      type: "UsernameChanged",
      data: { uid: avery, changeId, takes: OWL, frees: null },
      streams: [userStreamId(avery), usernameStreamId(OWL)],
    });
    expect(books.when(changeUser, wanting(blake, OWL))).toMatchObject({
      kind: "rejected",
      code: "username_taken",
      message: "Username already taken",
    });
    expect(books.when(changeUser, wanting(avery, FOX)).added[0]).toMatchObject({
      data: { takes: FOX, frees: OWL },
      streams: [userStreamId(avery), usernameStreamId(FOX), usernameStreamId(OWL)],
    });
    expect(books.when(changeUser, wanting(blake, OWL)).kind).toBe("accepted");
    expect(books.stream(usernameStream, usernameStreamId(FOX)).state).toEqual({ uid: avery });
    expect(books.stream(usernameStream, usernameStreamId(OWL)).state).toEqual({ uid: blake });
  });

  test("setting the same name again appends no event", () => {
    const books = newBooks();
    books.when(changeUser, wanting(avery, OWL));
    expect(books.when(changeUser, wanting(avery, OWL)).added).toEqual([]);
  });
});

test("a change of everything is one append with an event for each", () => {
  const books = booksWithAdmin();
  const { added } = books.when(
    changeUser,
    asking({
      uid: blake,
      role: "admin",
      username: { reservation: OWL, changeId },
      emailChangeId: changeId,
      displayNameChangeId: changeId,
      noteId,
    }),
  );
  expect(added.map(({ type }) => type)).toEqual([
    "UserRoleChanged",
    "UsernameChanged",
    "UserEmailChanged",
    "UserRenamed",
  ]);
});

describe("deleting an account", () => {
  const ending = { uid: avery, itemIds: [itemId], noteId: null, happenedAt: noon };
  const lamp = {
    itemId,
    ownerUid: avery,
    details: {
      itemName: "Lamp",
      listingTitle: "",
      barcode1: "1",
      barcode2: "",
      location: "",
      link: "",
      imageUrl: "",
      asin: "",
    },
    quantity: 1,
    source: "manual",
    happenedAt: noon,
  } as const;

  test("frees the username, and nothing changes the user afterwards", () => {
    const books = newBooks();
    books.when(changeUser, asking({ username: { reservation: OWL, changeId } }));
    const { added } = books.when(deactivateUser, ending);
    expect(added).toMatchObject([
      {
        type: "UserDeactivated",
        data: { uid: avery, roleBefore: "user", frees: OWL },
        streams: [userStreamId(avery), usernameStreamId(OWL)],
      },
    ]);
    expect(books.stream(userStream, userStreamId(avery)).state).toMatchObject({
      role: "user",
      deactivatedAt: noon,
      username: null,
      agreedPercentage: null,
    });
    expect(books.stream(usernameStream, usernameStreamId(OWL)).state.uid).toBeNull();
    for (const decision of [
      books.when(deactivateUser, ending),
      books.when(changeUser, asking({ role: "admin" })),
      books.when(makeFirstAdmin, {
        uid: avery,
        cause: "set-up-link",
        timeZone: null,
        happenedAt: noon,
      }),
    ]) {
      expect(decision).toMatchObject({ kind: "rejected", code: "user_deleted", added: [] });
    }
  });

  test("is refused with everything that is left, in words and numbers", () => {
    const books = newBooks();
    books.when(setBalance, {
      uid: avery,
      balanceCents: -1250,
      expectedCents: null,
      noteId: null,
      happenedAt: noon,
    });
    books.when(addItem, lamp);
    expect(books.when(deactivateUser, ending)).toMatchObject({
      kind: "rejected",
      code: "user_not_settled",
      message: "This user cannot be deleted yet: −$12.50 of balance and 1 unit in stock left",
      current: { balanceCents: -1250, pendingCents: 0, units: 1, shipmentIds: [], tradeIds: [] },
    });
  });

  test("is refused for the last admin, and removes any other admin from the list", () => {
    const books = booksWithAdmin();
    expect(books.when(deactivateUser, ending)).toMatchObject({ code: "last_admin" });
    books.when(changeUser, asking({ uid: blake, role: "admin" }));
    expect(books.when(deactivateUser, ending).kind).toBe("accepted");
    expect(books.stream(adminsStream, ADMINS).state.uids).toEqual([blake]);
  });
});
