// A record's facts as pairs of name and value.
import type { ReactNode } from "react";

type Fact = { readonly label: string; readonly value: ReactNode };

export function FactList({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className="grid items-baseline grid-cols-[minmax(6rem,max-content)_1fr] gap-x-6 gap-y-2">
      {facts.map(({ label, value }) => (
        <div key={label} className="contents">
          <dt className="text-muted">{label}</dt>
          <dd className="min-w-0 wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
