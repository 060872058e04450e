// A number that opens the lines it is the sum of.
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { useWhyPath, type Why } from "./why.ts";

export function WhyValue({ why, children }: { readonly why: Why; readonly children: ReactNode }) {
  const pathTo = useWhyPath();
  return (
    <Link
      to={pathTo(why)}
      preventScrollReset
      data-tip="Why this number?"
      className="inline-flex min-h-6 items-center rounded-bit underline decoration-border-strong decoration-dotted underline-offset-4 hover:decoration-accent"
    >
      {children}
      <span className="sr-only"> why this number?</span>
    </Link>
  );
}
