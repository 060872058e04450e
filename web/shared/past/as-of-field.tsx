// Picks a moment of the past: a day, or a position of the ledger. It is kept in the address.
import { useId, useState } from "react";
import { useParams } from "#web/lib/search-param.ts";
import { DayInput } from "#web/ui/day-input.tsx";
import { TextInput } from "#web/ui/text-input.tsx";
import { momentIn } from "./moment.ts";

export function AsOfField() {
  const [params, setParams] = useParams();
  const at = params.get("at") ?? "";
  const isDay = at.includes("-");
  return (
    <span className="flex flex-wrap items-center gap-2 max-sm:w-full">
      <DayInput
        label="As of"
        value={isDay ? at.slice(0, 10) : ""}
        onDay={(day) => setParams({ at: day, line: undefined })}
        className="w-40"
      />
      <PositionField
        key={at}
        position={isDay || momentIn(params) === undefined ? "" : at}
        onPosition={(position) => setParams({ at: position, line: undefined })}
      />
    </span>
  );
}

type PositionFieldProps = {
  readonly position: string;
  readonly onPosition: (position: string) => void;
};

/** Takes what was typed with Enter or when the field is left, because each position is read from the server. */
function PositionField({ position, onPosition }: PositionFieldProps) {
  const id = useId();
  const [typed, setTyped] = useState(position);
  const commit = (): void => {
    const digits = typed.replaceAll(/\D/gu, "");
    if (digits !== position) {
      onPosition(digits);
    }
  };
  return (
    <span className="flex items-center gap-2 text-muted max-sm:grow">
      <label htmlFor={id} className="whitespace-nowrap">
        or position
      </label>
      <TextInput
        id={id}
        value={typed}
        onValue={setTyped}
        inputMode="numeric"
        autoComplete="off"
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === "Enter") {
            commit();
          }
        }}
        className="sm:max-w-28"
      />
    </span>
  );
}
