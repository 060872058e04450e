// A field for a day, or a day with its time, in the one date format of all screens. The calendar is the browser's own.
import { Calendar } from "lucide-react";
import { useState, type ComponentPropsWithRef } from "react";
import { parseTypedDay, textOfDay, type DayKind } from "#web/lib/typed-day.ts";
import { Icon } from "./icon.tsx";

type Typing = {
  /** The field's text. */
  readonly text: string;
  /** The day in it, as a native field would hold it; undefined if it is none. */
  readonly day: string | undefined;
  /** True if somebody left the field with text that is not a day. */
  readonly isWrong: boolean;
  readonly type: (text: string) => void;
  /** Takes what was typed: somebody left the field, or pressed Enter. */
  readonly commit: () => void;
  /** Takes a day from the calendar. */
  readonly pick: (day: string) => void;
};

function useTyping(value: string, kind: DayKind, onValue: (value: string) => void): Typing {
  const [typed, setTyped] = useState<string>();
  const [isLeft, setLeft] = useState(false);
  const [seen, setSeen] = useState(value);
  if (seen !== value) {
    setSeen(value);
    setTyped(undefined);
  }
  const day = typed === undefined ? value : parseTypedDay(typed, kind);
  const isEmpty = typed?.trim() === "";
  return {
    text: typed ?? textOfDay(value, kind),
    day,
    isWrong: isLeft && day === undefined && !isEmpty,
    type(text) {
      setLeft(false);
      setTyped(text);
      const whole = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d)?$/u.test(text)
        ? parseTypedDay(text, kind)
        : undefined;
      if (whole !== undefined && whole !== value) {
        onValue(whole);
      }
    },
    commit() {
      setLeft(true);
      if (isEmpty || day !== undefined) {
        setTyped(undefined);
      }
      const next = isEmpty ? "" : (day ?? typed ?? value);
      if (next !== value) {
        onValue(next);
      }
    },
    pick(picked) {
      setTyped(undefined);
      onValue(picked);
    },
  };
}

type DateInputProps = Omit<
  ComponentPropsWithRef<"input">,
  "onChange" | "value" | "type" | "onBlur" | "onKeyDown"
> & {
  /** As native date fields hold it: "2026-11-21" or "2026-11-21T14:02"; empty for none. */
  readonly value: string;
  /** Called with the day that was typed or picked, with "" after clearing, or with typed text that is not a day. */
  readonly onValue: (value: string) => void;
  readonly kind?: DayKind;
  readonly max?: string;
  /** A short word inside the field, before the day: "From". */
  readonly before?: string | undefined;
};

/** What people type counts when they leave the field or press Enter; a whole value like "2026-11-21" counts at once. */
export function DateInput(props: DateInputProps) {
  const { value, onValue, kind = "day", max, before, className = "", ...rest } = props;
  const typing = useTyping(value, kind, onValue);
  return (
    <span className="relative flex w-full min-w-0 items-center">
      {before === undefined ? null : (
        <span aria-hidden="true" className="pointer-events-none absolute start-2.5 text-muted">
          {before}
        </span>
      )}
      <input
        {...rest}
        data-is-day
        type="text"
        autoComplete="off"
        spellCheck={false}
        aria-invalid={rest["aria-invalid"] ?? (typing.isWrong || undefined)}
        value={typing.text}
        onChange={(event) => typing.type(event.target.value)}
        onBlur={typing.commit}
        onKeyDown={(event) => (event.key === "Enter" ? typing.commit() : undefined)}
        className={`control w-full pe-9 ${before === undefined ? "" : "ps-13"} ${className}`}
      />
      <Icon of={Calendar} size={14} className="pointer-events-none absolute end-2.5 text-muted" />
      {/* Invisible above the icon; on touch screens above the whole field, where nobody wants to type a day. */}
      <input
        type={kind === "day" ? "date" : "datetime-local"}
        aria-hidden="true"
        tabIndex={-1}
        value={typing.day ?? ""}
        max={max}
        disabled={rest.disabled}
        onChange={(event) => typing.pick(event.target.value)}
        className="absolute end-0 h-full w-9 day-picker opacity-0 pointer-coarse:w-full"
      />
    </span>
  );
}
