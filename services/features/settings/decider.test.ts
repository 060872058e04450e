// Specs of the store's settings: given what was set, when an admin changes something, then what.
import { describe, expect, test } from "vitest";
import {
  agreeShare,
  changeDetails,
  changeLogo,
  changeRates,
  changeTimeZone,
} from "#features/settings/decider.ts";
import { DEFAULT_RATES, settingsStream, STORE_SETTINGS } from "#features/settings/streams.ts";
import { deactivateUser } from "#features/users/decider-deactivate.ts";
import { makeFirstAdmin } from "#features/users/decider.ts";
import { userStream, userStreamId } from "#features/users/streams.ts";
import { memoryBooks } from "#testing/shop/memory-books.ts";

const avery = "avery-000000000000001";
const happenedAt = "2024-05-31T12:00:00.000Z";
const rowOf = (number: number) => `00000000-0000-4000-8000-00000000000${number}`;
const rates = { ...DEFAULT_RATES, taxRateBasisPoints: 850 };

describe("rates", () => {
  const change = { rates, expectedVersion: 0, happenedAt };

  test("are changed by an event that says all of them, before and after", () => {
    const books = memoryBooks();
    const decision = books.when(changeRates, change);
    expect(decision).toMatchObject({ answer: { version: 1 } });
    expect(decision.added).toMatchObject([
      {
        type: "StoreRatesChanged",
        data: { before: DEFAULT_RATES, after: rates },
        streams: [STORE_SETTINGS],
        postings: [],
      },
    ]);
  });

  test("that do not differ make no event", () => {
    const books = memoryBooks();
    const decision = books.when(changeRates, { ...change, rates: DEFAULT_RATES });
    expect(decision).toMatchObject({ answer: { version: 0 }, added: [] });
  });

  test("that somebody else changed first are refused, with the version that counts now", () => {
    const books = memoryBooks();
    books.when(changeRates, change);
    expect(books.when(changeRates, { ...change, rates: DEFAULT_RATES })).toMatchObject({
      kind: "rejected",
      status: 409,
      code: "settings_changed",
      current: { version: 1 },
    });
  });

  test("are not in the way of a form about something else", () => {
    const books = memoryBooks();
    books.when(changeRates, change);
    const other = { timeZone: "America/Denver", expectedVersion: 0, happenedAt };
    expect(books.when(changeTimeZone, other)).toMatchObject({ answer: { version: 1 } });
  });
});

describe("details", () => {
  const change = {
    detailsId: rowOf(1),
    comparedWith: null,
    isSame: false,
    expectedVersion: null,
    happenedAt,
  };

  test("are changed by an event that names the rows before and after, not the texts", () => {
    const books = memoryBooks();
    books.when(changeDetails, change);
    const next = { ...change, detailsId: rowOf(2), comparedWith: rowOf(1) };
    expect(books.when(changeDetails, next).added).toMatchObject([
      { type: "StoreDetailsChanged", data: { before: rowOf(1), after: rowOf(2) } },
    ]);
  });

  test("with the same texts make no event, unless another version came between", () => {
    const books = memoryBooks();
    books.when(changeDetails, change);
    const same = { ...change, detailsId: rowOf(2), isSame: true };
    expect(books.when(changeDetails, { ...same, comparedWith: rowOf(1) }).added).toEqual([]);
    expect(books.when(changeDetails, { ...same, comparedWith: null }).added).toHaveLength(1);
  });

  test("that somebody else changed first are refused", () => {
    const books = memoryBooks();
    books.when(changeDetails, change);
    const late = { ...change, detailsId: rowOf(2), expectedVersion: 0 };
    expect(books.when(changeDetails, late)).toMatchObject({ code: "settings_changed" });
  });
});

describe("the logo", () => {
  test("is set, replaced and removed; removing it again makes no event", () => {
    const books = memoryBooks();
    books.when(changeLogo, { logoId: rowOf(1), happenedAt });
    expect(books.when(changeLogo, { logoId: null, happenedAt }).added).toMatchObject([
      { type: "StoreLogoChanged", data: { before: rowOf(1), after: null } },
    ]);
    expect(books.when(changeLogo, { logoId: null, happenedAt })).toMatchObject({
      answer: { version: 2 },
      added: [],
    });
  });
});

describe("the time zone", () => {
  const change = { timeZone: "America/Denver", expectedVersion: 0, happenedAt };

  test("is changed; the same again makes no event, and an outdated form is refused", () => {
    const books = memoryBooks();
    expect(books.when(changeTimeZone, change).added).toMatchObject([
      { type: "StoreTimeZoneChanged", data: { before: null, after: "America/Denver" } },
    ]);
    expect(books.when(changeTimeZone, { ...change, expectedVersion: 1 }).added).toEqual([]);
    expect(books.when(changeTimeZone, change)).toMatchObject({ code: "settings_changed" });
  });

  test("of the first admin's browser becomes the store's, if it has none", () => {
    const admin = { uid: avery, cause: "set-up-link", happenedAt } as const;
    const books = memoryBooks();
    books.when(makeFirstAdmin, { ...admin, timeZone: "Europe/Berlin" });
    expect(books.stream(settingsStream, STORE_SETTINGS).state.timeZone).toBe("Europe/Berlin");
    const chosen = memoryBooks();
    chosen.when(changeTimeZone, change);
    chosen.when(makeFirstAdmin, { ...admin, timeZone: "Europe/Berlin" });
    expect(chosen.stream(settingsStream, STORE_SETTINGS).state.timeZone).toBe("America/Denver");
  });
});

describe("an agreed share", () => {
  test("is agreed, changed and ended, and moves no money", () => {
    const books = memoryBooks();
    books.when(agreeShare, { uid: avery, percentage: 60, happenedAt });
    const ended = books.when(agreeShare, { uid: avery, percentage: null, happenedAt });
    expect(ended.added).toMatchObject([
      {
        type: "ConsignorShareAgreed",
        data: { uid: avery, before: 60, after: null },
        postings: [],
      },
    ]);
    expect(books.when(agreeShare, { uid: avery, percentage: null, happenedAt }).added).toEqual([]);
  });

  test("of 0% is a share, not none", () => {
    const books = memoryBooks();
    books.when(agreeShare, { uid: avery, percentage: 0, happenedAt });
    expect(books.stream(userStream, userStreamId(avery)).state.agreedPercentage).toBe(0);
  });

  test("ends with the account, and nobody agrees one with a person who has left", () => {
    const books = memoryBooks();
    books.when(agreeShare, { uid: avery, percentage: 60, happenedAt });
    books.when(deactivateUser, { uid: avery, itemIds: [], noteId: null, happenedAt });
    expect(books.stream(userStream, userStreamId(avery)).state.agreedPercentage).toBeNull();
    expect(books.when(agreeShare, { uid: avery, percentage: 50, happenedAt })).toMatchObject({
      status: 404,
      code: "consignor_not_found",
    });
  });
});
