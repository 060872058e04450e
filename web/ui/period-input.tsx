// The period of a list as a filter: one of the usual ones, or two days of one's own.
import { useState } from "react";
import {
  nameOfPeriod,
  periodNames,
  periodOf,
  type Period,
  type PeriodName,
} from "#web/lib/period.ts";
import { useNow } from "#web/lib/use-now.ts";
import { DayInput } from "./day-input.tsx";
import { Select, type Choice } from "./select.tsx";

type PeriodInputProps = Period & {
  readonly onChange: (change: Partial<Period>) => void;
};

const choices: readonly Choice<PeriodName | "any" | "custom">[] = [
  { value: "any", label: "Any time" },
  ...periodNames,
  { value: "custom", label: "Custom dates" },
];

const areSame = (one: Period, other: Period): boolean =>
  one.from === other.from && one.to === other.to;

export function PeriodInput({ from, to, onChange }: PeriodInputProps) {
  const now = useNow();
  const isAny = from === "" && to === "";
  const named = nameOfPeriod({ from, to }, now);
  const [wantsCustom, setWantsCustom] = useState(false);
  const [seen, setSeen] = useState({ from, to });
  const [sent, setSent] = useState(seen);
  // Other days than those that were entered here come from outside, such as none from a Clear button.
  if (!areSame(seen, { from, to })) {
    setSeen({ from, to });
    if (!areSame(sent, { from, to })) {
      setWantsCustom(false);
    }
  }
  const isCustom = wantsCustom || (!isAny && named === undefined);
  function change(days: Partial<Period>): void {
    setSent({ from, to, ...days });
    onChange(days);
  }
  return (
    <>
      <span className="sm:w-34">
        <Select
          aria-label="Dates"
          value={isCustom ? "custom" : (named ?? "any")}
          choices={choices}
          onValue={(choice) => {
            setWantsCustom(choice === "custom");
            if (choice !== "custom") {
              change(choice === "any" ? { from: "", to: "" } : periodOf(choice, now));
            }
          }}
        />
      </span>
      {isCustom ? (
        <>
          {/* The two days stay side by side where the filters take several lines. */}
          <span className="contents gap-2 sm:flex">
            <DayInput label="From" value={from} onDay={(day) => change({ from: day })} />
            <DayInput label="To" value={to} onDay={(day) => change({ to: day })} />
          </span>
          {from !== "" && to !== "" && from > to ? (
            <output className="self-center text-12 text-danger">From is after To</output>
          ) : null}
        </>
      ) : null}
    </>
  );
}
