// Whether a proof has found a change: by the position or the key that it must name, not by finding just anything.
import type { VerifyReport } from "#ledger/verify/verify.ts";
import type { Shown } from "./change.ts";

export type Finding = {
  readonly check: string;
  readonly position: number;
  readonly message: string;
};

export type Verdict =
  | { readonly kind: "found"; readonly finding: Finding }
  /** The proof found nothing, or something else. */
  | { readonly kind: "missed"; readonly why: string };

/** Findings, and the torn lines of heads that are named without being one. */
export function findingsOf({ problems, heads }: VerifyReport): Finding[] {
  const torn = heads.torn.map((message) => ({ check: "head", position: 0, message }));
  return [...problems, ...torn];
}

export function judge(shown: Shown, report: VerifyReport | Error): Verdict {
  if (report instanceof Error) {
    return { kind: "missed", why: `the proof died: ${report.message}` };
  }
  const findings = findingsOf(report);
  const finding = findings.find(
    ({ check, position, message }) =>
      (shown.check === undefined || shown.check === check) &&
      (shown.positions.includes(position) || shown.keys.some((key) => message.includes(key))),
  );
  if (finding !== undefined) {
    return { kind: "found", finding };
  }
  const [first] = findings;
  return {
    kind: "missed",
    why:
      first === undefined
        ? "the proof found nothing"
        : `the proof found only this: ${first.check} at ${first.position}: ${first.message}`,
  };
}
