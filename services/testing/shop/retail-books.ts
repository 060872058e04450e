// The expected books of a sales file, computed from the file alone and without code of the import.
import { createHash } from "node:crypto";

export type ExpectedSale = {
  readonly line: number;
  readonly uid: string;
  readonly code: string;
  readonly customer: string;
  readonly unitCents: bigint;
  readonly units: number;
  readonly priceCents: bigint;
  readonly payoutCents: bigint;
  readonly at: string;
  refundedUnits: number;
  refundedPrice: bigint;
  refundedPayout: bigint;
};

export type ExpectedLine = {
  readonly at: string;
  readonly deltaCents: number;
  readonly afterCents: number;
};

export type ExpectedItem = {
  readonly uid: string;
  readonly code: string;
  readonly name: string;
  units: number;
  /** Units before and after each change, as in the item's history. */
  readonly history: { readonly delta: number; readonly after: number }[];
};

export type ExpectedBooks = {
  readonly sales: readonly ExpectedSale[];
  readonly items: ReadonlyMap<string, ExpectedItem>;
  /** Each consignor's lines in order. */
  readonly accounts: ReadonlyMap<string, readonly ExpectedLine[]>;
  readonly refunds: number;
  readonly refundedUnits: number;
  readonly revenueCents: number;
  readonly customersCents: number;
  readonly soldUnits: number;
  readonly receivedUnits: number;
  /** Number and reason of every line that must be refused. */
  readonly refused: readonly (readonly [number, string])[];
};

type Record = { readonly line: number; readonly cells: string[] };

/** Its own CSV parser: a state machine over characters. */
function recordsOf(text: string): Record[] {
  const records: Record[] = [];
  let cells: string[] = [];
  let cell = "";
  let line = 1;
  let startedAt = 1;
  let mode: "start" | "plain" | "quoted" | "after" = "start";
  const endCell = (): void => {
    cells.push(cell.trim());
    cell = "";
    mode = "start";
  };
  const endRecord = (): void => {
    endCell();
    if (cells.join("") !== "") {
      records.push({ line: startedAt, cells });
    }
    cells = [];
  };
  const characters = text.replace(/^\uFEFF/, "").split("");
  for (let index = 0; index < characters.length; index += 1) {
    const character = characters[index] ?? "";
    const next = characters[index + 1];
    if (mode === "quoted") {
      if (character === '"' && next === '"') {
        cell += '"';
        index += 1;
      } else if (character === '"') {
        mode = "after";
      } else {
        line += character === "\n" ? 1 : 0;
        cell += character;
      }
    } else if (character === '"' && mode === "start") {
      mode = "quoted";
    } else if (character === ",") {
      endCell();
    } else if (character === "\n") {
      endRecord();
      line += 1;
      startedAt = line;
    } else if (character !== "\r" || next !== "\n") {
      mode = mode === "after" ? "after" : "plain";
      cell += character;
    }
  }
  endRecord();
  return records;
}

function half(cents: bigint): bigint {
  return cents / 2n + (cents % 2n);
}

/** `total × part / whole`, rounded half up; nothing here is negative. */
function share(total: bigint, part: number, whole: number): bigint {
  const product = total * BigInt(part);
  const quotient = product / BigInt(whole);
  const rest = product % BigInt(whole);
  return 2n * rest >= BigInt(whole) ? quotient + 1n : quotient;
}

function centsOf(price: string): bigint | string {
  if (!/^-?[0-9]+([.][0-9]+)?$/.test(price)) {
    return "bad_price";
  }
  const [whole = "", fraction = ""] = price.split(".");
  const significant = fraction.replace(/0+$/, "");
  if (significant.length > 2) {
    return "price_decimals";
  }
  const cents = BigInt(whole) * 100n + BigInt(significant.padEnd(2, "0"));
  return cents <= 0n || price.startsWith("-") ? "price_not_positive" : cents;
}

function instantOf(text: string, now: Date): string {
  const parts = /^(\d\d\d\d)-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)([.]\d+)?)?(.*))?$/.exec(
    text,
  );
  if (parts === null) {
    return "bad_date";
  }
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const daysInMonth = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const zone = /^(?:|Z|([+-])(\d\d):?(\d\d))$/.exec(parts[8] ?? "");
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth || hour > 23 || minute > 59) {
    return "bad_date";
  }
  if (second > 59 || zone === null) {
    return "bad_date";
  }
  const offset = (Number(zone[2] ?? 0) * 60 + Number(zone[3] ?? 0)) * (zone[1] === "-" ? -1 : 1);
  const milliseconds = Math.floor(Number(`0${parts[7] ?? ""}`) * 1000);
  const time = Date.UTC(year, month - 1, day, hour, minute - offset, second, milliseconds);
  if (time < Date.UTC(2000, 0, 1)) {
    return "date_too_early";
  }
  return time > now.getTime() ? "date_in_future" : new Date(time).toISOString();
}

const hasControl = (text: string): boolean =>
  text.split("").some((character) => character < " " || character === "\u007F");

type Line = {
  readonly invoice: string;
  readonly code: string;
  readonly name: string;
  readonly units: number;
  readonly at: string;
  readonly unitCents: bigint;
  readonly customer: string;
};

/** A parsed record, or why it cannot be booked. */
function understand(cells: readonly string[], header: readonly string[], now: Date): Line | string {
  if (cells.length !== header.length) {
    return "cell_count";
  }
  const of = (column: string): string => cells[header.indexOf(column)] ?? "";
  const [invoice, code, quantity] = [of("InvoiceNo"), of("StockCode"), of("Quantity")];
  const name = of("Description").replaceAll(/\s*[\r\n\t]\s*/g, " ");
  if (invoice === "") {
    return "empty_invoice";
  }
  if (code === "") {
    return "empty_code";
  }
  if (code.length > 128 || hasControl(code)) {
    return "bad_code";
  }
  if (name.length > 200 || hasControl(name)) {
    return "bad_text";
  }
  if (!/^-?[0-9]+([.]0+)?$/.test(quantity)) {
    return "bad_quantity";
  }
  const units = parseInt(quantity, 10);
  if (units > 1_000_000 || units < -1_000_000) {
    return "quantity_too_large";
  }
  if (units === 0) {
    return "zero_quantity";
  }
  if (invoice[0] === "C" && units > 0) {
    return "cancellation_not_negative";
  }
  if (invoice[0] !== "C" && units < 0) {
    return "negative_without_mark";
  }
  const unitCents = centsOf(of("UnitPrice"));
  if (typeof unitCents === "string") {
    return unitCents;
  }
  const at = instantOf(of("InvoiceDate"), now);
  return /^\d/.test(at)
    ? { invoice, code, name, units, at, unitCents, customer: of("CustomerID") }
    : at;
}

/** Books a whole file. `consignors` people share the codes. */
export function expectBooks(text: string, consignors: number, now: Date): ExpectedBooks {
  const [first, ...records] = recordsOf(text);
  const header = first?.cells ?? [];
  const books = new Books();
  for (const { line, cells } of records) {
    const said = understand(cells, header, now);
    const reason = typeof said === "string" ? said : books.book(line, said, consignors);
    if (reason !== "") {
      books.refused.push([line, reason]);
    }
  }
  return books;
}

class Books implements ExpectedBooks {
  readonly sales: ExpectedSale[] = [];
  readonly items = new Map<string, ExpectedItem>();
  readonly accounts = new Map<string, ExpectedLine[]>();
  readonly refused: [number, string][] = [];
  refunds = 0;
  refundedUnits = 0;
  revenueCents = 0;
  customersCents = 0;
  soldUnits = 0;
  receivedUnits = 0;

  /** Books one line; returns a reason if it cannot be booked, otherwise the empty string. */
  book(line: number, said: Line, consignors: number): string {
    const number = Number.parseInt(sha256(said.code).slice(0, 8), 16) % consignors;
    const uid = `import-consignor-${String(number + 1).padStart(4, "0")}`;
    return said.units > 0 ? this.#sell(line, said, uid) : this.#refund(said, uid);
  }

  #sell(line: number, said: Line, uid: string): string {
    const { code, customer, unitCents, units, at } = said;
    const priceCents = unitCents * BigInt(units);
    if (priceCents > 1_000_000_000n) {
      return "amount_too_large";
    }
    const key = `${uid} ${code}`;
    let item = this.items.get(key);
    if (item === undefined) {
      item = { uid, code, name: said.name || code, units: 0, history: [{ delta: 0, after: 0 }] };
      this.items.set(key, item);
    }
    item.history.push({ delta: units, after: item.units + units });
    item.history.push({ delta: -units, after: item.units });
    const payoutCents = half(priceCents);
    const nothing = { refundedUnits: 0, refundedPrice: 0n, refundedPayout: 0n };
    const terms = { line, uid, code, customer, unitCents, units, priceCents, payoutCents, at };
    this.sales.push({ ...terms, ...nothing });
    this.receivedUnits += units;
    this.soldUnits += units;
    this.#credit(uid, priceCents, payoutCents, at);
    return "";
  }

  #refund({ code, customer, unitCents, units, at }: Line, uid: string): string {
    const bought = this.sales.filter((sale) => sale.code === code && sale.customer === customer);
    const fitting = bought.filter((sale) => sale.unitCents === unitCents);
    const sale = fitting.findLast((earlier) => earlier.units - earlier.refundedUnits >= -units);
    const item = this.items.get(`${uid} ${code}`);
    if (bought.length === 0 || item === undefined) {
      return "never_sold";
    }
    if (sale === undefined) {
      return fitting.length === 0 ? "sold_at_other_price" : "too_few_left";
    }
    sale.refundedUnits -= units;
    const price = share(sale.priceCents, sale.refundedUnits, sale.units) - sale.refundedPrice;
    const payout = share(sale.payoutCents, sale.refundedUnits, sale.units) - sale.refundedPayout;
    sale.refundedPrice += price;
    sale.refundedPayout += payout;
    item.units -= units;
    item.history.push({ delta: -units, after: item.units });
    this.refunds += 1;
    this.refundedUnits -= units;
    this.soldUnits += units;
    this.#credit(uid, -price, -payout, at);
    return "";
  }

  #credit(uid: string, price: bigint, payout: bigint, at: string): void {
    const lines = this.accounts.get(uid) ?? [];
    const afterCents = (lines.at(-1)?.afterCents ?? 0) + Number(payout);
    lines.push({ at, deltaCents: Number(payout), afterCents });
    this.accounts.set(uid, lines);
    this.revenueCents += Number(price - payout);
    this.customersCents -= Number(price);
  }
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
