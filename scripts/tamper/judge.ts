// Whether a proof has found a change: it must name the right position or key, not just find anything.
import type { VerifyReport } from "#ledger/verify/verify.ts";
import type { Shown } from "./change.ts";

export type Finding = {
  readonly check: string;
  readonly position: number;
  readonly message: string;
};

export type Verdict =
  | { readonly kind: "found"; readonly finding: Finding }
  /** The proof found nothing, or only something else. */
  | { readonly kind: "missed"; readonly why: string };

/** The findings, and the torn lines of heads, which are reported but are not findings. */
export function findingsOf({ problems, heads }: VerifyReport): Finding[] {
  const torn = heads.torn.map((message) => ({ check: "head", position: 0, message }));
  return [...problems, ...torn];
}

export function judge(shown: Shown, report: VerifyReport | Error): Verdict {
  if (report instanceof Error) {
    return { kind: "missed", why: `the proof failed: ${report.message}` };
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
