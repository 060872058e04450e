// Makes a sales file for tests of the import: seeded, with a few thousand lines and every known oddity.

/** Numbers in [0, 1), the same for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Later than any other date in the file. */
export const RETAIL_NOW = new Date("2026-11-21T10:00:00.000Z");

const header = [
  "InvoiceNo",
  "StockCode",
  "Description",
  "Quantity",
  "InvoiceDate",
  "UnitPrice",
  "CustomerID",
  "Country",
];

type Cells = [string, string, string, string, string, string, string, string];
type Random = () => number;

const codes = [
  ...Array.from({ length: 60 }, (_, index) => String(20_000 + index * 37)),
  ...Array.from({ length: 20 }, (_, index) => `85${100 + index}${"ABCabc"[index % 6] ?? ""}`),
  "85123A",
  "85123a",
  "0001",
  "1",
  "POST",
  "D",
  "gift_0001_20",
  "Ä-Ö/7",
  "=SUM(A1)",
  'a"b',
  "semi;colon",
  "{brace\\}",
  "NULL",
];
const names = [
  "WHITE HANGING HEART T-LIGHT HOLDER",
  "SET OF 3 COLOURED  FLYING DUCKS",
  'INFLATABLE 5" BALL',
  "LUNCH BOX, SMALL",
  "=HYPERLINK(1)",
  "CAFÉ CRÈME £2 🦆",
  "",
  "two\nlines",
];
const prices = ["2.55", "3.39", "0.01", "0.85", "18", "2.5", "110.00", "7.950", "4.65", "0.03"];
const quantities = ["1", "1", "2", "3", "6", "12", "24.0", "7", "96"];
const customers = ["17850", "13047", "12583", "", "14527", "17850.0", "c1", "C1"];

function pick<Value>(random: Random, values: readonly Value[]): Value {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined) {
    throw new RangeError("Nothing to pick from");
  }
  return value;
}

function ordinary(random: Random, index: number): Cells {
  const at = new Date(Date.UTC(2010, 11, 1, 8) + index * 97_000 - Math.floor(random() * 9e6));
  return [
    String(536_365 + Math.floor(index / 7)),
    pick(random, codes),
    pick(random, names),
    pick(random, quantities),
    at.toISOString().replace(".000Z", "Z"),
    pick(random, prices),
    pick(random, customers),
    "United Kingdom",
  ];
}

/** A line that is wrong in one way, or nearly so. */
const oddities: readonly ((cells: Cells) => string[])[] = [
  ([, ...rest]) => ["", ...rest],
  ([invoice, , ...rest]) => [invoice, " ", ...rest],
  ([invoice, , ...rest]) => [invoice, "x".repeat(128), ...rest],
  ([invoice, , ...rest]) => [invoice, "x".repeat(129), ...rest],
  ([invoice, , ...rest]) => [invoice, "bell\u0007", ...rest],
  ([invoice, code, , ...rest]) => [invoice, code, "n".repeat(200), ...rest],
  ([invoice, code, , ...rest]) => [invoice, code, "n".repeat(201), ...rest],
  ([invoice, code, , ...rest]) => [invoice, code, "del\u007f", ...rest],
  ...["-3", "0", "-0", "", "1.5", "1,000", "six", "1000000", "1000001", "0x10", "1e1"].map(
    (quantity) =>
      ([invoice, code, name, , ...rest]: Cells) => [invoice, code, name, quantity, ...rest],
  ),
  ...[
    "2010-02-30T10:00:00Z",
    "2010-12-01 08:26",
    "2010-12-01",
    "2010-12-01T08:26:00+02:00",
    "2010-12-01T08:26:00.5Z",
    "12/1/2010 8:26",
    "2010-12-01T24:30:00Z",
    "1999-12-31T23:59:59Z",
    "2000-01-01T00:00:00Z",
    "2026-11-21T10:00:00Z",
    "2026-11-21T10:00:01Z",
    "2099-01-01T00:00:00Z",
    "yesterday",
    "",
  ].map((date) => ([invoice, code, name, quantity, , ...rest]: Cells) => [
    invoice,
    code,
    name,
    quantity,
    date,
    ...rest,
  ]),
  ...["0", "0.00", "-1.25", "0.001", "2.555", "2.550", "abc", "", "1e3", "£2.55", "10000001"].map(
    (price) =>
      ([invoice, code, name, quantity, date, , ...rest]: Cells) => [
        invoice,
        code,
        name,
        quantity,
        date,
        price,
        ...rest,
      ],
  ),
  ([invoice, code, name, , date, , ...rest]) => [
    invoice,
    code,
    name,
    "999999",
    date,
    "99.99",
    ...rest,
  ],
  ([invoice, ...rest]) => [`C${invoice}`, ...rest],
  ([invoice, code, name, , ...rest]) => [`C${invoice}`, code, name, "0", ...rest],
  ([invoice, code, name, , ...rest]) => [`c${invoice}`, code, name, "-1", ...rest],
  (cells) => cells.slice(0, 7),
  (cells) => [...cells, "more"],
  () => ["", "", "", "", "", "", "", ""],
  () => [""],
];

/** Cancels an earlier line: fully, partly, or with something that matches no line. */
function cancellation(random: Random, earlier: readonly Cells[], index: number): Cells {
  const [, code, name, quantity, , price, customer, country] = pick(random, earlier.slice(-400));
  const units = Math.trunc(Number(quantity));
  const [, , , , date] = ordinary(random, index);
  const kind = random();
  const wanted = kind < 0.45 ? units : kind < 0.8 ? 1 + Math.floor(random() * units) : units + 1;
  const otherCode = code === code.toUpperCase() ? code.toLowerCase() : code.toUpperCase();
  return [
    `C${536_365 + index}`,
    kind > 0.97 ? otherCode : code,
    name,
    String(-wanted),
    date,
    kind > 0.93 && kind < 0.97 ? "1.99" : price,
    kind > 0.9 && kind < 0.93 ? "99999" : customer,
    country,
  ];
}

function asCsv(cells: readonly string[], quoteAll: boolean): string {
  return cells
    .map((cell) => (quoteAll || /^"|[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join(",");
}

/** A file of about `lines` lines with a byte order mark and both kinds of line ends. */
export function makeRetailFile(seed: number, lines: number): string {
  const random = seededRandom(seed);
  const sales: Cells[] = [];
  let text = `\uFEFF${header.join(",")}\r\n`;
  const add = (cells: readonly string[]): void => {
    text += asCsv(cells, random() < 0.1) + (random() < 0.5 ? "\r\n" : "\n");
  };
  for (let index = 0; index < lines; index += 1) {
    const kind = random();
    if (kind < 0.12 && sales.length > 0) {
      add(cancellation(random, sales, index));
    } else if (kind < 0.2) {
      add((oddities[index % oddities.length] ?? asIs)(ordinary(random, index)));
    } else if (kind < 0.25 && sales.length > 0) {
      const again = pick(random, sales.slice(-20));
      sales.push(again);
      add(again);
    } else {
      const sale = ordinary(random, index);
      sales.push(sale);
      add(sale);
    }
  }
  for (const odd of oddities) {
    add(odd(ordinary(random, lines)));
  }
  // The last line has no line end, as many programs write it.
  return text.trimEnd();
}

const asIs = (cells: Cells): string[] => cells;
