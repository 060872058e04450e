// Two days, from and to, as filters of a list; on a phone each has a row of its own.
import { DayInput } from "./day-input.tsx";

type PeriodInputProps = {
  /** "2024-05-31"; empty for any day. */
  readonly from: string;
  readonly to: string;
  readonly onChange: (change: { readonly from: string } | { readonly to: string }) => void;
};

const look = { className: "max-md:col-span-2", textClassName: "max-md:w-9" } as const;

export function PeriodInput({ from, to, onChange }: PeriodInputProps) {
  return (
    <>
      <DayInput {...look} label="From" value={from} onDay={(day) => onChange({ from: day })} />
      <DayInput {...look} label="To" value={to} onDay={(day) => onChange({ to: day })} />
    </>
  );
}
