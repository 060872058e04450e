// One day as a filter, with its label inside the field.
import { DateInput } from "./date-input.tsx";

type DayInputProps = {
  readonly label: string;
  /** "2026-11-21"; empty for none. */
  readonly value: string;
  readonly onDay: (day: string) => void;
  readonly className?: string;
};

export function DayInput({ label, value, onDay, className = "w-44" }: DayInputProps) {
  return (
    <span className={`min-w-0 max-sm:col-span-2 max-sm:w-full ${className}`}>
      <DateInput
        aria-label={label}
        before={label}
        value={value}
        onValue={(day) => {
          // Text that is not a day stays in the field, marked, and filters nothing.
          if (day === "" || /^\d{4}-/u.test(day)) {
            onDay(day);
          }
        }}
      />
    </span>
  );
}
