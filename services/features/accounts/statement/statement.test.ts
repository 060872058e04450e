// Statements: opening balance and entries add up to the closing balance, periods join, and issued ones never change.
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { explanations } from "../../../features.ts";
import type { StatementResponse } from "#features/accounts/contract.ts";
import { readsOver } from "#http/reads.ts";
import type { StatementQuery } from "#features/accounts/statement/statement.ts";
import { readStatement } from "#features/accounts/statement/statement.ts";
import { statementPdf } from "#features/accounts/statement/statement-pdf.ts";
import { createNotes } from "#identity/notes.ts";
import { createProfiles } from "#identity/profiles.ts";
import { readHead } from "#ledger/log/read.ts";
import { toCents } from "#ledger/money.ts";
import type { MoneyShop } from "#testing/shop/money-shop.ts";
import { openMoneyShop } from "#testing/shop/money-shop.ts";
import { AVERY, BLAKE, moneyStep, ordinaryDays } from "#testing/shop/money-steps.ts";
import { sized } from "#testing/trial/size.ts";

const VERIFY_AT = "https://store.test/verify-statement";

let shop: MoneyShop;
let head: { readonly position: number; readonly hash: string | null };

beforeAll(async () => {
  shop = await openMoneyShop();
  const generated = fc.sample(moneyStep, { numRuns: sized(60, 150), seed: 4 });
  for (const step of [...generated, ...ordinaryDays.flat()]) {
    await shop.take(step);
  }
  await shop.runner.catchUp();
  head = await readHead(shop.database.sql);
}, 240_000);

afterAll(() => shop.close());

function read(given: Partial<StatementQuery>): Promise<StatementResponse> {
  const { sql } = shop.database;
  return readStatement(
    readsOver(sql).reads,
    { profiles: createProfiles(sql), notes: createNotes(sql), explanations },
    {
      uid: AVERY,
      storeName: "Łódź Resale",
      timeZone: "America/Chicago",
      closings: { closed: [] },
      from: "2024-01-01",
      to: "2024-12-31",
      position: head.position,
      maxLines: 10_000,
      issuedAt: "2026-11-21T10:00:00.000Z",
      ...given,
    },
  );
}

/** The shop's days, and some before and after them. */
const day = fc
  .integer({ min: -100, max: 10 })
  .map((days) => new Date(Date.UTC(2024, 5, 30) + days * 86_400_000).toISOString().slice(0, 10));
const uid = fc.constantFrom(AVERY, BLAKE);

function dayAfter(text: string): string {
  return new Date(Date.parse(`${text}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
}

const sum = (amounts: readonly number[]) =>
  amounts.reduce((total, amount) => total + toCents(amount), 0);

function expectToAddUp({ opening, closing, lines, sums }: StatementResponse): void {
  for (const changes of [lines, sums]) {
    expect(toCents(opening.balance) + sum(changes.map(({ amount }) => amount))).toBe(
      toCents(closing.balance),
    );
    expect(
      toCents(opening.inTransit) + sum(changes.map(({ inTransitChange }) => inTransitChange)),
    ).toBe(toCents(closing.inTransit));
  }
  expect(sums.reduce((count, kind) => count + kind.lines, 0)).toBe(lines.length);
  expect(lines.at(-1)?.balanceAfter ?? opening.balance).toBe(closing.balance);
}

describe("a statement of any period", () => {
  it("opens, lists and closes so that it adds up, and joins the periods before and after", async () => {
    await fc.assert(
      fc.asyncProperty(uid, day, day, day, async (whose, ...days) => {
        const [from, middle, to] = days.sort();
        const [first, second, whole] = [
          await read({ uid: whose, from, to: middle }),
          await read({ uid: whose, from: dayAfter(middle), to: dayAfter(to) }),
          await read({ uid: whose, from, to: dayAfter(to) }),
        ];
        for (const statement of [first, second, whole]) {
          expectToAddUp(statement);
        }
        expect(second.opening).toEqual(first.closing);
        expect([whole.opening, whole.closing]).toEqual([first.opening, second.closing]);
        expect(whole.lines).toEqual([...first.lines, ...second.lines]);
      }),
      { numRuns: sized(12, 40) },
    );
  });

  it("has every entry of the year once and in order", async () => {
    const { lines, opening } = await read({});
    expect(opening).toEqual({ balance: 0, inTransit: 0 });
    expect(lines.length).toBeGreaterThan(10);
    expect(lines.map(({ line }) => line)).toEqual(lines.map((_, index) => index + 1));
    expect(new Set(lines.map(({ kind }) => kind)).size).toBeGreaterThan(3);
  });

  it("names the ledger's head at its position, and stays the same whatever is recorded later", async () => {
    const issued = await read({ to: "2024-06-30" });
    expect(issued).toMatchObject({ position: head.position, chainHead: head.hash });
    for (const step of ordinaryDays.flat()) {
      await shop.take({ ...step, daysAgo: 80 });
    }
    await shop.runner.catchUp();
    const { position } = await readHead(shop.database.sql);
    expect(await read({ to: "2024-06-30" })).toEqual(issued);
    const later = await read({ position, to: "2024-06-30" });
    expect(later.lines.slice(0, issued.lines.length)).toEqual(issued.lines);
    expect(later.lines.length).toBeGreaterThan(issued.lines.length);
    for (const earlier of [0, 1, Math.floor(position / 2)]) {
      const cut = await read({ position: earlier });
      expectToAddUp(cut);
      expect(cut.lines.every((line) => line.position <= earlier)).toBe(true);
    }
  });

  it("is refused if it has too many entries", async () => {
    const { lines } = await read({});
    await expect(read({ maxLines: lines.length })).resolves.toMatchObject({ from: "2024-01-01" });
    await expect(read({ maxLines: lines.length - 1 })).rejects.toMatchObject({
      status: 400,
      code: "too_many_lines",
    });
  });
});

/** How often a piece of text occurs in the document's structure. */
function count(bytes: Uint8Array, piece: RegExp): number {
  return [...Buffer.from(bytes).toString("latin1").matchAll(piece)].length;
}

describe("a statement as a PDF", () => {
  it("is tagged throughout: title, language, headings, and a row for each entry", async () => {
    const statement = await read({});
    const bytes = await statementPdf(statement, "a4", VERIFY_AT);
    expect(Buffer.from(bytes.subarray(0, 8)).toString()).toBe("%PDF-1.7");
    for (const piece of [/\/Marked true/gu, /\/Lang \(en-US\)/gu, /\/DisplayDocTitle true/gu]) {
      expect(count(bytes, piece)).toBe(1);
    }
    expect(count(bytes, /<pdfuaid:part>1/gu)).toBe(1);
    expect(count(bytes, /\/S \/H1\b/gu)).toBe(1);
    expect(count(bytes, /\/Author /gu)).toBe(1);
    expect(count(bytes, /\/S \/Table\b/gu)).toBe(2);
    // Opening, each kind, closing and the headings of both tables, in addition to the entries.
    const rows = 2 + statement.sums.length + 2 + statement.lines.length;
    expect(count(bytes, /\/S \/TR\b/gu)).toBe(rows);
    expect(count(bytes, /\/Scope \/Column\b/gu)).toBe(9);
    expect(count(bytes, /\/Scope \/Row\b/gu)).toBe(2 + statement.sums.length);
    // All fonts are embedded, so a reader needs none of its own.
    expect(count(bytes, /\/Type \/Font\b/gu)).toBeGreaterThan(0);
    expect(count(bytes, /\/FontFile/gu)).toBe(count(bytes, /\/Type \/FontDescriptor\b/gu));
    expect(count(bytes, /Helvetica/gu)).toBe(0);
  });

  it("has names with characters of XML and PDF as text, in its properties and in its metadata", async () => {
    const name = "A & B</rdf:li><x> (Co) \\";
    const statement = { ...(await read({ storeName: name })), displayName: name };
    const bytes = await statementPdf(statement, "a4", VERIFY_AT);
    const [metadata = ""] =
      /<x:xmpmeta[^]*<\/x:xmpmeta>/u.exec(Buffer.from(bytes).toString()) ?? [];
    expect(metadata).toContain("<rdf:li>A &amp; B&lt;/rdf:li&gt;&lt;x&gt; (Co) \\</rdf:li>");
    expect(metadata).not.toContain("<x>");
    expect(metadata).toContain("Statement of A &amp; B&lt;");
  });

  it("continues over several pages for long periods, with names in any script", async () => {
    const statement = await read({});
    const [line] = statement.lines;
    const names = ["Łódź", "Жанна", "Ελλάς", "日本", "a".repeat(400), "\u{1F600}"];
    const lines = names.flatMap((description) =>
      Array.from({ length: 12 }, () => ({ ...line, description, note: "Why\nnot" })),
    );
    const bytes = await statementPdf(
      { ...statement, lines: lines as StatementResponse["lines"] },
      "letter",
      VERIFY_AT,
    );
    expect(count(bytes, /\/Type \/Page\b(?!s)/gu)).toBeGreaterThan(2);
    expect(count(bytes, /\/MediaBox \[0 0 612 792\]/gu)).toBeGreaterThan(2);
  });
});
