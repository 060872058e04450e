// The period of a report: a month, a quarter, a year, or two days of one's own.
import { useState } from "react";
import { useParams } from "#web/lib/search-param.ts";
import { useNow } from "#web/lib/use-now.ts";
import { DayInput } from "#web/ui/day-input.tsx";
import { Select } from "#web/ui/select.tsx";
import { choiceOf, periodChoices, periodIn, withDay } from "./report-period.ts";

export function PeriodChoice() {
  const now = useNow();
  const [params, setParams] = useParams();
  const period = periodIn(params, now);
  const choices = periodChoices(now);
  const named = choiceOf(period, now);
  const [wantsCustom, setWantsCustom] = useState(false);
  const isCustom = wantsCustom || named === undefined;
  const [usual] = choices;
  return (
    <>
      <span className="max-sm:flex-1 sm:w-44">
        <Select
          aria-label="Period"
          value={isCustom ? "custom" : named.value}
          choices={[...choices, { value: "custom", label: "Custom dates" }]}
          onValue={(value) => {
            const chosen = choices.find((choice) => choice.value === value);
            setWantsCustom(chosen === undefined);
            if (chosen !== undefined) {
              const isUsual = chosen === usual;
              setParams({
                from: isUsual ? undefined : chosen.from,
                to: isUsual ? undefined : chosen.to,
              });
            }
          }}
        />
      </span>
      {isCustom ? (
        <>
          <DayInput
            label="From"
            className="sm:w-44"
            value={period.from}
            onDay={(from) => setParams(withDay(period, { from }))}
          />
          <DayInput
            label="To"
            className="sm:w-44"
            value={period.to}
            onDay={(to) => setParams(withDay(period, { to }))}
          />
        </>
      ) : null}
    </>
  );
}
