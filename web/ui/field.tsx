// A labeled form field: label above, help and error below, all linked to the control for screen readers.
import { OctagonAlert } from "lucide-react";
import { useId, type ReactNode } from "react";
import type * as z from "zod/mini";
import { tooLongFor } from "#web/lib/form-errors.ts";
import { Icon } from "./icon.tsx";

/** The props that link a control to its label, help and error. */
export type ControlProps = {
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": true | undefined;
};

/** What is typed, and the field of the contract that it is sent in. */
type Typed = { readonly text: string; readonly into: z.ZodMiniType };

type FieldProps = {
  readonly label: string;
  readonly help?: ReactNode;
  readonly error?: string | undefined;
  /** Says at once that a text is too long, as when it was pasted. A `maxLength` would cut it without a word. */
  readonly typed?: Typed;
  readonly isOptional?: boolean;
  readonly className?: string;
  readonly children: (control: ControlProps) => ReactNode;
};

export function Field({
  label,
  help,
  error: found,
  typed,
  isOptional,
  className = "",
  children,
}: FieldProps) {
  const error = found ?? (typed === undefined ? undefined : tooLongFor(typed.into, typed.text));
  const id = useId();
  const helpId = `${id}-help`;
  const errorId = `${id}-error`;
  const described = [
    ...(error === undefined ? [] : [errorId]),
    ...(help === undefined ? [] : [helpId]),
  ].join(" ");
  return (
    <div className={`flex min-w-0 flex-col gap-1 ${className}`}>
      <label htmlFor={id} className="flex items-baseline justify-between gap-2 text-14 font-medium">
        {label}
        {isOptional === true ? (
          <span className="text-12 font-normal text-faint">Optional</span>
        ) : null}
      </label>
      {children({
        id,
        "aria-describedby": described === "" ? undefined : described,
        "aria-invalid": error === undefined ? undefined : true,
      })}
      {/* Rendered before there is an error, so that screen readers announce the error. */}
      <div aria-live="polite" className="-mt-1 *:mt-1">
        {error === undefined ? null : (
          <p id={errorId} className="flex items-start gap-1 text-12 text-danger">
            <Icon of={OctagonAlert} size={14} className="mt-px" />
            {error}
          </p>
        )}
      </div>
      {help === undefined ? null : (
        <p id={helpId} className="text-12 text-muted">
          {help}
        </p>
      )}
    </div>
  );
}
