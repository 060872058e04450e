// What a checked statement is told to be: genuine, changed, forged and so on, in the same words on screen and in the terminal.
import type {
  CheckedFile,
  StatementKey,
  StatementProof,
  VerifyStatementResponse,
} from "#features/accounts/contract-statement-proof.ts";
import type { Cents } from "#ledger/money.ts";

type Genuine = {
  readonly proof: StatementProof;
  readonly key: StatementKey;
  readonly later: NonNullable<VerifyStatementResponse["later"]>;
};

export type Verdict =
  | { readonly kind: "unreadable" | "unsigned" | "forged" | "foreign" }
  | { readonly kind: "changed"; readonly proof: StatementProof }
  /** The file is what was signed, but the log has another link at its position, or ends before it. */
  | { readonly kind: "rewritten"; readonly proof: StatementProof; readonly isMissing: boolean }
  /** One of the store's keys signed the file, but the log has other closing balances. */
  | { readonly kind: "contradicted"; readonly proof: StatementProof }
  /** The file is what was signed; the log could not be asked. */
  | { readonly kind: "uncompared"; readonly proof: StatementProof }
  | ({ readonly kind: "genuine" } & Genuine);

/** `compare` asks the store's log about an intact file; null if it cannot be reached. */
export async function verdictOf(
  checked: CheckedFile,
  compare: (jws: string, proof: StatementProof) => Promise<VerifyStatementResponse | null>,
): Promise<Verdict> {
  if (checked.kind !== "intact") {
    return checked;
  }
  const { jws, proof, key } = checked;
  const answer = await compare(jws, proof);
  if (answer === null) {
    return { kind: "uncompared", proof };
  }
  const { head, closing, later } = answer;
  if (closing === "differs") {
    return { kind: "contradicted", proof };
  }
  return later === null
    ? { kind: "rewritten", proof, isMissing: head === "missing" }
    : { kind: "genuine", proof, key, later };
}

/** The verdict as a heading and a sentence. */
export function wordsOf(verdict: Verdict): { readonly title: string; readonly sentence: string } {
  switch (verdict.kind) {
    case "unreadable": {
      return {
        title: "Not a statement",
        sentence: "This file is neither a PDF nor a CSV statement, or it is damaged.",
      };
    }
    case "unsigned": {
      return {
        title: "No signature",
        sentence:
          "This file has no signature: it was issued before statements were signed, it was cut off, or it does not come from this store.",
      };
    }
    case "forged": {
      return {
        title: "The signature is not valid",
        sentence:
          "This file has a signature, but the store's key did not make it. Nothing the file says is confirmed.",
      };
    }
    case "foreign": {
      return {
        title: "Signed by somebody else",
        sentence: "This file was signed with a key that this store never had.",
      };
    }
    case "changed": {
      const differs =
        "The store signed a statement with this signature, but this file differs from it.";
      return {
        title: "Changed after it was signed",
        sentence:
          verdict.proof.format === "csv"
            ? `${differs} A spreadsheet program changes a file when it saves it: check the file as it was downloaded.`
            : differs,
      };
    }
    case "rewritten": {
      const { position } = verdict.proof;
      return {
        title: "The store's log was rewritten",
        sentence: verdict.isMissing
          ? `The file is what the store signed, but the store's log now ends before position ${position}, which the statement names.`
          : `The file is what the store signed, but the store's log now has another hash at position ${position} than the statement.`,
      };
    }
    case "contradicted": {
      return {
        title: "The store's log has another balance",
        sentence: `A key of this store signed this file, but at position ${verdict.proof.position} the store's log has another closing balance. Somebody else may have had the key.`,
      };
    }
    case "uncompared": {
      return {
        title: "Signed by this store, and unchanged",
        sentence: "The file was not compared with the store's log, because the log did not answer.",
      };
    }
    default: {
      const { retired_at: retired } = verdict.key;
      return {
        title: "Genuine and unchanged",
        sentence:
          retired === undefined
            ? "The store signed this file, and its log still has the hash that the statement names."
            : `The store signed this file with a key that it retired on ${retired.slice(0, 10)}, and its log still has the hash that the statement names.`,
      };
    }
  }
}

/**
 * The closing balances as the statement has them: a yearly one's is the sum of what was available, requested and held for
 * trades. The signature of an older one does not say what was held.
 */
export function balancesOf({
  closingCents,
  inTransitCents,
  heldCents,
}: StatementProof): readonly { readonly label: string; readonly cents: Cents }[] {
  return heldCents === undefined
    ? [
        { label: "Closing balance (available)", cents: closingCents },
        { label: "Pending payouts", cents: inTransitCents },
      ]
    : [
        { label: "Closing balance", cents: closingCents + inTransitCents + heldCents },
        { label: "Available", cents: closingCents },
        { label: "Requested", cents: inTransitCents },
        { label: "Held for trades", cents: heldCents },
      ];
}

/** What the amounts of `laterSentences` are, and on which statement those entries are. */
export function laterNote({ heldCents }: StatementProof): string {
  return heldCents === undefined
    ? "Amounts are changes of the available balance. These entries are on the statement of the month in which they were booked: refunds, returns, and whatever came after a month was closed, are on a later one."
    : "Amounts are changes of the closing balance. What was booked in the year is on a newer copy of this statement; refunds, returns, and whatever came after a month was closed, may be on a later year's.";
}

/** Said where `laterSentences` are none: entries from before the statement was issued are not among them. */
export function nothingLater({ position }: StatementProof, { through }: Genuine["later"]): string {
  const first = position + 1;
  return through < first
    ? "Nothing was recorded since it was issued."
    : `Nothing that was recorded since it was issued (positions ${formatPosition(first)} to ${formatPosition(through)}) touches its period.`;
}

const formatPosition = (position: number): string => position.toLocaleString("en-US");

/** What was recorded later and touches the statement's period, one sentence each; empty if nothing was. */
export function laterSentences(
  { late, refunds, changes }: Genuine["later"],
  money: (dollars: number) => string,
): string[] {
  const groups = [
    { ...refunds, one: "refund of a sale on it", many: "refunds of sales on it" },
    {
      ...changes,
      one: "later change of a sale, payout or trade on it",
      many: "later changes of sales, payouts and trades on it",
    },
    {
      ...late,
      one: "entry of its period, recorded afterwards",
      many: "entries of its period, recorded afterwards",
    },
  ];
  return groups
    .filter(({ count }) => count > 0)
    .map(
      ({ count, amount, one, many }) => `${count} ${count === 1 ? one : many}: ${money(amount)}`,
    );
}
