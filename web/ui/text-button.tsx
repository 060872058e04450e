// A button that reads like a link, for lines of text in which a normal button would stand out too much.
import type { ComponentPropsWithRef } from "react";

type TextButtonProps = Omit<ComponentPropsWithRef<"button">, "children" | "type" | "className"> & {
  readonly children: string;
};

export function TextButton({ children, ...rest }: TextButtonProps) {
  return (
    <button
      {...rest}
      type="button"
      className="min-h-6 rounded-bit text-accent hover:text-accent-hover hover:underline disabled:text-faint disabled:no-underline touch:min-h-11"
    >
      {children}
    </button>
  );
}
