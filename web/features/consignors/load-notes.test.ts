// Tests what an admin is told about a loaded export of the old app.
import { expect, it } from "vitest";
import { loadNotes } from "./load-notes.ts";

const answer = { message: "", users: 1, added: 1, updated: 0, migrated: 0 } as const;

it("names what was rounded, what lacks a handle and what is not taken over, over all parts of the file", () => {
  const quiet = { ...answer, rounded: 0, withoutHandle: 0, ignored: [] };
  expect(loadNotes([quiet])).toEqual([]);
  const loud = {
    ...answer,
    rounded: 1,
    withoutHandle: 2,
    ignored: [{ field: "payouts.note", count: 600 }],
  };
  expect(loadNotes([loud, quiet, loud])).toEqual([
    "2 amounts rounded to the cent.",
    "4 unpaid payouts without a handle: ask for it before you pay.",
    "Not taken over: payouts.note (1,200).",
  ]);
  const many = Array.from({ length: 10 }, (_, index) => ({ field: `sales.f${index}`, count: 1 }));
  expect(loadNotes([{ ...quiet, ignored: many }])[0]).toMatch(
    /sales\.f7 \(1\), 2 other fields\.$/u,
  );
});
