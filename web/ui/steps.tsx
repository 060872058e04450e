// The progress of something in a few steps. Each step says whether it is done; the lines end at the circles.
import { Check } from "lucide-react";
import { Icon } from "./icon.tsx";

export type Step = { readonly name: string; readonly isDone: boolean };

type StepsProps = {
  readonly steps: readonly Step[];
  /** The index of the step that comes next; -1 if none does. */
  readonly next: number;
  /** On a phone only this step is written out. Undefined: all are. */
  readonly writtenOut?: number;
  readonly className: string;
};

export function Steps({ steps, next, writtenOut, className }: StepsProps) {
  return (
    <ol aria-label="Progress" className={`grid auto-cols-fr grid-flow-col ${className}`}>
      {steps.map(({ name, isDone }, index) => (
        <li
          key={name}
          aria-current={index === next ? "step" : undefined}
          className="relative flex flex-col items-center gap-1 text-center text-12"
        >
          {index === 0 ? null : (
            <span
              aria-hidden="true"
              className={`absolute top-2.5 right-[calc(50%+0.625rem)] h-px w-[calc(100%-1.25rem)] ${isDone ? "bg-accent" : "bg-border"}`}
            />
          )}
          <span
            aria-hidden="true"
            className={`relative flex size-5 items-center justify-center rounded-pill border ${isDone ? "border-accent bg-accent text-on-accent" : index === next ? "border-accent bg-surface" : "border-border-strong bg-surface"}`}
          >
            {isDone ? <Icon of={Check} size={14} /> : null}
          </span>
          <span
            className={`${isDone || index === next ? "font-medium" : "text-muted"} ${writtenOut === undefined || index === writtenOut ? "" : "max-sm:sr-only"}`}
          >
            {index === next && index === writtenOut ? (
              <span aria-hidden="true" className="sm:hidden">
                Next:{" "}
              </span>
            ) : null}
            {name}
            <span className="sr-only">
              {isDone ? ", done" : index === next ? ", next" : ", not yet"}
            </span>
          </span>
        </li>
      ))}
    </ol>
  );
}
