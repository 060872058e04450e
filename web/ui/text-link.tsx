// A link in a line of text, to another screen: as large for a finger as a button.
import { Link, type LinkProps } from "react-router-dom";

export function TextLink(props: Omit<LinkProps, "className">) {
  return (
    <Link
      {...props}
      className="inline-flex min-h-6 items-center text-accent hover:underline touch:min-h-11"
    />
  );
}
