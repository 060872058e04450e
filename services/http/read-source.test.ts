// Which server a read goes to, and which failures on the standby send it to the primary.
import { expect, test } from "vitest";
import type { Checkpoints } from "#http/checkpoints.ts";
import { chooseSource, whyRepeat, type WaitingRead } from "#http/read-source.ts";

const at = (head: number, sales: number, heldRows = 0): Checkpoints => ({
  head,
  positions: new Map([["sales", sales]]),
  held: new Map(heldRows === 0 ? [] : [["sales", heldRows]]),
});
const read = (target: number, given: Partial<WaitingRead> = {}): WaitingRead => ({
  projections: ["sales"],
  target,
  shownByPrimary: 0,
  isOverdue: false,
  mayAwaitStandby: true,
  ...given,
});

test("a standby that has reached the position is read, with its own position and its own held rows", () => {
  expect(chooseSource(read(5), { primary: at(9, 9, 2), standby: at(7, 6, 1) })).toEqual({
    kind: "read",
    source: "standby",
    freshTo: 6,
    stale: false,
    held: 1,
  });
});

test("a read waits a moment for the standby, and then goes to the primary", () => {
  const seen = { primary: at(9, 9), standby: at(8, 8) };
  expect(chooseSource(read(9), seen)).toEqual({ kind: "wait", isPrimaryThere: true });
  expect(chooseSource(read(9, { mayAwaitStandby: false }), seen)).toMatchObject({
    source: "primary",
    freshTo: 9,
    stale: false,
  });
});

test("without a standby, reads do not wait for one", () => {
  expect(chooseSource(read(9), { primary: at(9, 9), standby: null })).toMatchObject({
    source: "primary",
    freshTo: 9,
  });
});

test("while the primary's tables are not ready either, a read waits for them, whatever the standby's state", () => {
  const seen = { primary: at(9, 8), standby: at(7, 7) };
  const patient = { kind: "wait", isPrimaryThere: false };
  expect(chooseSource(read(9), seen)).toEqual(patient);
  expect(chooseSource(read(9, { mayAwaitStandby: false }), seen)).toEqual(patient);
});

test("a read that gives up takes the newer of both, or the standby if they are equal", () => {
  const overdue = read(9, { isOverdue: true });
  expect(chooseSource(overdue, { primary: at(9, 8), standby: at(9, 7) })).toMatchObject({
    source: "primary",
    freshTo: 8,
    stale: true,
  });
  expect(chooseSource(overdue, { primary: at(9, 8), standby: at(9, 8) })).toMatchObject({
    source: "standby",
    freshTo: 8,
    stale: true,
  });
});

test("an older standby does not take back what the primary has shown", () => {
  const seen = { primary: at(9, 9), standby: at(7, 7) };
  expect(chooseSource(read(5, { shownByPrimary: 9 }), seen).kind).toBe("wait");
  expect(chooseSource(read(5, { shownByPrimary: 9, mayAwaitStandby: false }), seen)).toMatchObject({
    source: "primary",
  });
  expect(chooseSource(read(5, { shownByPrimary: 7 }), seen)).toMatchObject({ source: "standby" });
});

test("a read of the log itself needs the log's end on the standby", () => {
  const ofTheLog = read(9, { projections: [] });
  expect(chooseSource(ofTheLog, { primary: at(9, 0), standby: at(8, 0) }).kind).toBe("wait");
  expect(chooseSource(ofTheLog, { primary: at(9, 0), standby: at(9, 0) })).toMatchObject({
    source: "standby",
    freshTo: 9,
  });
});

test.each([
  ["40001", "conflict"],
  ["40P01", "conflict"],
  ["57P04", "conflict"],
  ["57P01", "lost"],
  ["57P03", "lost"],
  ["08006", "lost"],
  ["ECONNREFUSED", "lost"],
  ["CONNECTION_DESTROYED", "lost"],
  ["25006", undefined],
  ["57014", undefined],
  ["42P01", undefined],
  ["22012", undefined],
])("after the standby's code %s the primary is read because of: %s", (code, reason) => {
  expect(whyRepeat(Object.assign(new Error("from the driver"), { code }))).toBe(reason);
});

test("other errors are not repeated", () => {
  expect(whyRepeat(new TypeError("a bug"))).toBeUndefined();
});
