// A form without native submission. When it is refused, the focus moves to the first invalid field.
import { useEffect, useRef, type ReactNode } from "react";

type FormProps = {
  readonly onSubmit: () => void;
  /** The fields' errors. A new object with entries moves the focus to the first invalid control. */
  readonly errors?: Readonly<Record<string, string>>;
  readonly label?: string;
  readonly className?: string;
  readonly children: ReactNode;
};

export function Form({ onSubmit, errors, label, className, children }: FormProps) {
  const ref = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (errors !== undefined && Object.keys(errors).length > 0) {
      ref.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid]')?.focus();
    }
  }, [errors]);
  return (
    <form
      ref={ref}
      noValidate
      aria-label={label}
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}
