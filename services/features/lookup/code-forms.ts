// The forms in which one code may be stored: a scanner types more than people do, and people type less than is stored.
import { idsOfStart, type IdRange } from "#ledger/uuid.ts";

export type CodeForms = {
  /** As it is, and a UPC with and without the zero that makes it an EAN. */
  readonly barcodes: readonly string[];
  /** In capitals, without spaces and dashes. The bars of a parcel say more than its tracking number. */
  readonly trackingNumbers: readonly string[];
  /** All ids that begin with this code are from the first to the second; null if it is not the beginning of one. */
  readonly ids: IdRange | null;
  /** The same of receipts, whose numbers have an R in front. */
  readonly receipts: IdRange | null;
};

export function formsOf(code: string): CodeForms {
  const plain = code.replaceAll(/[^A-Za-z0-9]/gu, "");
  return {
    barcodes: barcodesOf(code),
    trackingNumbers: plain === "" ? [] : trackingNumbersOf(plain.toUpperCase()),
    ids: idsOfStart(plain),
    receipts: idsOfStart(plain.replace(/^r/iu, "")),
  };
}

function barcodesOf(code: string): readonly string[] {
  if (/^0\d{12}$/u.test(code)) {
    return [code, code.slice(1)];
  }
  return /^\d{12}$/u.test(code) ? [code, `0${code}`] : [code];
}

/** USPS puts 420 and the ZIP code before the number; FedEx ends its 34 digits with the number, filled up with zeros. */
function trackingNumbersOf(plain: string): readonly string[] {
  const usps = /^420(?:\d{5}|\d{9})(9\d{21})$/u.exec(plain)?.[1];
  const fedEx = /^\d{20}(\d{14})$/u.exec(plain)?.[1]?.replace(/^0+(?=\d{12})/u, "");
  return [plain, ...[usps, fedEx].filter((number) => number !== undefined)];
}
