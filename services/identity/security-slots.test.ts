// A flood of attempts fills neither the table nor the memory: what belongs together is one row with a counter.
import { expect, test } from "vitest";
import type { SecurityNote } from "#identity/security-slots.ts";
import { createNoteSlots, together } from "#identity/security-slots.ts";

const NOW = new Date("2026-11-21T10:00:00.000Z");
const LATER = new Date("2026-11-21T10:09:59.999Z");
const NEXT = new Date("2026-11-21T10:10:00.000Z");

function attempt(address: string, more: Partial<SecurityNote> = {}): SecurityNote {
  const origin = { address, userAgent: "Browser/1" };
  return { kind: "sign-in", outcome: "wrong", about: "nobody", origin, ...more };
}

test("a stranger's attempts of one kind from one network are one row for ten minutes", () => {
  const slotOf = createNoteSlots();
  const first = slotOf(attempt("2001:db8:1:1::1"), NOW);
  expect(first).toMatchObject({ network: "2001:db8:1::/48", address: "2001:db8:1:1::1", count: 1 });
  const typed = attempt("2001:db8:1:2::1", { about: { email: "a@b.test" }, detail: "POST /a" });
  expect(slotOf(typed, LATER).id).toBe(first.id);
  expect(slotOf(attempt("2001:db8:2:1::1"), NOW).id).not.toBe(first.id);
  expect(slotOf(attempt("2001:db8:1:1::1", { outcome: "limited" }), NOW).id).not.toBe(first.id);
  expect(slotOf(attempt("2001:db8:1:1::1", { kind: "sign-up" }), NOW).id).not.toBe(first.id);
  expect(slotOf(attempt("2001:db8:1:1::1", { about: { uid: "a" } }), NOW).id).not.toBe(first.id);
  expect(slotOf(attempt("2001:db8:1:1::1"), NEXT).id).not.toBe(first.id);
  // Another process counts in the same row.
  expect(createNoteSlots()(attempt("2001:db8:1:1::1"), LATER).id).toBe(first.id);
});

test("counted together, they keep only what they have in common", () => {
  const slotOf = createNoteSlots();
  const first = slotOf(attempt("203.0.113.9", { about: { email: "a@b.test" } }), LATER);
  const second = slotOf(attempt("203.0.113.9", { about: { email: "c@d.test" } }), NOW);
  expect(together(first, second)).toMatchObject({
    id: first.id,
    count: 2,
    lastAt: LATER,
    email: null,
    address: "203.0.113.9",
    userAgent: "Browser/1",
  });
});

test("strangers from a thousand networks share a row once there are 500, and nobody else does", () => {
  const slotOf = createNoteSlots();
  const ids = new Set<string>();
  for (let index = 0; index < 1_000; index += 1) {
    ids.add(slotOf(attempt(`198.51.${index >> 8}.${index & 255}`), NOW).id);
  }
  expect(ids.size).toBe(501);
  const own = slotOf(attempt("198.51.200.1", { about: { uid: "avery" } }), NOW);
  expect(own).toMatchObject({ network: "198.51.200.1", uid: "avery" });
  expect(slotOf(attempt("198.51.200.1"), NOW)).toMatchObject({ network: "others", address: null });
  expect(slotOf(attempt("198.51.200.1"), NEXT)).toMatchObject({ network: "198.51.200.1" });
});

test("a person who comes from ever new networks shares a row once there are 100", () => {
  const slotOf = createNoteSlots();
  const about = { uid: "avery" };
  const ids = Array.from(
    { length: 300 },
    (_, index) => slotOf(attempt(`198.51.${index >> 8}.${index & 255}`, { about }), NOW).id,
  );
  expect(new Set(ids).size).toBe(101);
});

test("refusals of one person share a row once there are 20, without a place among the person's other notes", () => {
  const slotOf = createNoteSlots();
  const note = (index: number, kind: SecurityNote["kind"]) =>
    slotOf(attempt(`198.51.100.${index}`, { kind, about: { uid: "avery" } }), NOW).id;
  const refused = Array.from({ length: 100 }, (_, index) => note(index, "access-refused"));
  expect(new Set(refused).size).toBe(21);
  const others = Array.from({ length: 100 }, (_, index) => note(index, "sign-in"));
  expect(new Set(others).size).toBe(100);
});

test("what an admin saves of a consignor takes no place of what the consignor saves, nor of what another admin does", () => {
  const slotOf = createNoteSlots();
  const save = (detail: string, more: Partial<SecurityNote> = {}) => {
    const file = { kind: "exported", outcome: "ok", detail, sharedDetail: "/api/list" } as const;
    return slotOf(attempt("203.0.113.9", { ...file, about: { uid: "avery" }, ...more }), NOW);
  };
  for (let index = 0; index < 1_000; index += 1) {
    save(`own ${index}`);
  }
  expect(save("one more")).toMatchObject({ detail: "/api/list" });
  expect(save("list", { byUid: "boss" })).toMatchObject({ detail: "list", uid: "avery" });
  // A saver's places are for all the people whose files they save.
  const saved = Array.from({ length: 300 }, (_, index) =>
    save("list", { byUid: "thief", about: { uid: `person ${index}` } }),
  );
  expect(saved.filter(({ detail }) => detail === "list")).toHaveLength(100);
  expect(save("list", { byUid: "boss", about: { uid: "blake" } }).detail).toBe("list");
});

test("a file that has no row of its own keeps whose it is, its call and the address", () => {
  const slotOf = createNoteSlots();
  const save = (address: string, detail: string) => {
    const file = { kind: "exported", outcome: "ok", detail, sharedDetail: "/api/list" } as const;
    return slotOf(attempt(address, { ...file, about: { uid: "avery" }, byUid: "boss" }), NOW);
  };
  for (let index = 0; index < 100; index += 1) {
    save("203.0.113.9", `list ${index}`);
  }
  const shared = save("203.0.113.9", "list 100");
  const whose = { uid: "avery", byUid: "boss", detail: "/api/list" };
  expect(shared).toMatchObject({ ...whose, network: "203.0.113.9", address: "203.0.113.9" });
  expect(save("203.0.113.9", "list 101").id).toBe(shared.id);
  expect(save("203.0.113.10", "list 102").id).not.toBe(shared.id);
  const ids = Array.from(
    { length: 300 },
    (_, index) => save(`198.51.${index >> 8}.${index & 255}`, "").id,
  );
  expect(new Set(ids).size).toBe(99);
  expect(save("198.51.3.3", "")).toMatchObject({ ...whose, network: "others", address: null });
});

test("a browser's name is cut, and has no characters that a terminal would obey", () => {
  const userAgent = `Browser\u001b[2J\u202e${"x".repeat(900)}`;
  const origin = { address: "203.0.113.9", userAgent };
  const row = createNoteSlots()(attempt("", { origin }), NOW);
  expect(row.userAgent).toHaveLength(200);
  expect(row.userAgent).toMatch(/^Browser \[2J x+$/u);
});
