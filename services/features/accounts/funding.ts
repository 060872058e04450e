// First in, first out: which credits of an account paid for which of its debits. Pure.
import type { Cents } from "#ledger/money.ts";

/** A credit that a later line took something back from: of the same sale, or of the same trade. */
export type OwnCredit = {
  readonly line: number;
  /** The credit, and the sum of all credits of the account up to it. */
  readonly cents: Cents;
  readonly creditsAfter: Cents;
};

/** A line that takes back: a refund, or a correction to less. */
export type TakeBack = {
  readonly line: number;
  readonly cents: Cents;
  /** The sum of all debits of the account up to this line. */
  readonly debitsAfter: Cents;
  /** The credits it takes back, newest first. */
  readonly own: readonly OwnCredit[];
};

/** A stretch of money, as cents from the beginning of the account: above `after`, up to `through`. */
export type Stretch = { readonly after: Cents; readonly through: Cents };

/** Sums of amounts up to a line; `lines` is sorted, and each amount is at one of them. */
type Sums = {
  readonly add: (line: number, cents: Cents) => void;
  /** The sum of the amounts at lines up to this one, inclusive. */
  readonly upTo: (line: number) => Cents;
};

/** A Fenwick tree: both take logarithmic time. */
function sumsOver(lines: readonly number[]): Sums {
  const tree = new Float64Array(lines.length + 1);
  const countUpTo = (line: number): number => {
    let [low, high] = [0, lines.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((lines[middle] ?? 0) <= line) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  };
  return {
    add(line, cents) {
      for (let index = countUpTo(line); index < tree.length; index += index & -index) {
        tree[index] = (tree[index] ?? 0) + cents;
      }
    },
    upTo(line) {
      let sum = 0;
      for (let index = countUpTo(line); index > 0; index -= index & -index) {
        sum += tree[index] ?? 0;
      }
      return sum;
    },
  };
}

type Taken = { readonly line: number; readonly cents: Cents };

/** What was taken at a line, and the sums at it: both count without what was taken back. */
type Mark = Taken & { readonly gross: Cents };

/** One side of an account: the sums of its credits or debits, less what take-backs settled among themselves. */
export type Side = {
  /** What was settled at this line. */
  readonly takenAt: (line: number) => Cents;
  /** The lines from `first` to `last` at which something was settled, and what. */
  readonly takenIn: (first: number, last: number) => readonly Taken[];
  /** The sum up to a line, from the gross sum that the ledger has for it. */
  readonly net: (line: number, gross: Cents) => Cents;
  /** The gross sum that the first line above this net sum is above. */
  readonly grossAbove: (net: Cents) => Cents;
};

function sideOf(marks: readonly Mark[]): Side {
  const atLine = new Map<number, Mark>();
  for (const mark of marks) {
    const cents = (atLine.get(mark.line)?.cents ?? 0) + mark.cents;
    atLine.set(mark.line, { ...mark, cents });
  }
  const sorted = [...atLine.values()].sort((a, b) => a.line - b.line);
  const sums = sumsOver(sorted.map(({ line }) => line));
  for (const { line, cents } of sorted) {
    sums.add(line, cents);
  }
  return {
    takenAt: (line) => atLine.get(line)?.cents ?? 0,
    takenIn: (first, last) => sorted.filter(({ line }) => line >= first && line <= last),
    net: (line, gross) => gross - sums.upTo(line),
    grossAbove: (net) => {
      // Net sums never decrease from line to line. Between two marks they differ from the gross ones by the same amount.
      let [low, high] = [0, sorted.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        const mark = sorted[middle];
        if (mark !== undefined && mark.gross - sums.upTo(mark.line) <= net) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      const mark = sorted[low - 1];
      return net + (mark === undefined ? 0 : sums.upTo(mark.line));
    },
  };
}

export type Flows = {
  readonly credits: Side;
  readonly debits: Side;
};

/**
 * Follows the take-backs of an account, oldest first. Each first takes what its own credits still have, the newest of
 * them first; only the rest is a debit like any other, which the oldest money that is left pays for. What it takes
 * from its own credits leaves both sides, so everything else is paid for in order: the nth cent of the net debits by
 * the nth cent of the net credits. A take-back never touches money that has paid for something, so later ones do not
 * change what earlier debits were paid with.
 */
export function followFlows(takeBacks: readonly TakeBack[]): Flows {
  const lines = new Set(takeBacks.flatMap(({ own }) => own.map(({ line }) => line)));
  const taken = sumsOver([...lines].sort((a, b) => a - b));
  const credits: Mark[] = [];
  const debits: Mark[] = [];
  let settled = 0;
  for (const { line, cents, debitsAfter, own } of takeBacks) {
    const paid = debitsAfter - cents - settled;
    let left = cents;
    for (const credit of own) {
      const through = credit.creditsAfter - taken.upTo(credit.line);
      const after = credit.creditsAfter - credit.cents - taken.upTo(credit.line - 1);
      const some = Math.min(left, Math.max(0, through - Math.max(after, paid)));
      if (some > 0) {
        taken.add(credit.line, some);
        credits.push({ line: credit.line, cents: some, gross: credit.creditsAfter });
        left -= some;
      }
    }
    if (left < cents) {
      debits.push({ line, cents: cents - left, gross: debitsAfter });
      settled += cents - left;
    }
  }
  return { credits: sideOf(credits), debits: sideOf(debits) };
}

/** The stretch of a line on its side, from its own amount and the gross sum up to it. */
export function stretchOf(side: Side, line: number, cents: Cents, gross: Cents): Stretch {
  const through = side.net(line, gross);
  return { after: through - (cents - side.takenAt(line)), through };
}

/** The cents that two stretches have in common. */
export function overlapOf(one: Stretch, other: Stretch): Cents {
  return Math.max(0, Math.min(one.through, other.through) - Math.max(one.after, other.after));
}
