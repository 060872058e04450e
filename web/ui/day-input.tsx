// One end of a period above a list: a date with its label.
import { TextInput } from "./text-input.tsx";

type DayInputProps = {
  readonly label: string;
  readonly value: string;
  readonly onDay: (day: string) => void;
  /** How label and field stand to each other on a phone. */
  readonly className: string;
  readonly textClassName: string;
};

export function DayInput({ label, value, onDay, className, textClassName }: DayInputProps) {
  return (
    <label className={`flex min-w-0 items-center gap-2 text-muted ${className}`}>
      <span className={`shrink-0 ${textClassName}`}>{label}</span>
      <TextInput type="date" value={value} onValue={onDay} />
    </label>
  );
}
