// Which passwords nobody may choose: the common ones, and those that are the account's own name.
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

const FILE = new URL("common-passwords.txt.gz", import.meta.url);

let common: ReadonlySet<string> | undefined;

/** Read with the first new password: the file has one a line, and its origin in lines that begin with #. */
function commonPasswords(): ReadonlySet<string> {
  common ??= new Set(
    gunzipSync(readFileSync(FILE))
      .toString("utf8")
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#")),
  );
  return common;
}

/** Words that strangers try here first, whatever digits and other characters follow: what the store is and what it does. */
const ownWords: ReadonlySet<string> = new Set([
  "admin",
  "administrator",
  "consign",
  "consignment",
  "consignment ledger",
  "consignment-ledger",
  "consignmentledger",
  "consignor",
  "ledger",
  "marketplace",
  "payout",
  "payouts",
  "resale",
  "seller",
  "store",
]);

/** `names`: the account's email, username and display name, as far as they are known. */
export function isEasyToGuess(
  password: string,
  names: readonly (string | null | undefined)[],
): boolean {
  const typed = plain(password);
  const own = names.flatMap((name) =>
    name === null || name === undefined ? [] : [plain(name), plain(name).split("@")[0] ?? ""],
  );
  const word = typed.replace(/[^\p{L}]+$/u, "");
  return commonPasswords().has(typed) || own.includes(typed) || ownWords.has(word);
}

function plain(text: string): string {
  return text.normalize("NFKC").trim().toLowerCase();
}
