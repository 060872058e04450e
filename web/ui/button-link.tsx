// A link that looks like a button, for navigation rather than an action.
import type { LucideIcon } from "lucide-react";
import { Link, type LinkProps } from "react-router-dom";
import { buttonClass, type ButtonVariant } from "./button.tsx";
import { Icon } from "./icon.tsx";

type ButtonLinkProps = Omit<LinkProps, "children"> & {
  readonly variant?: ButtonVariant;
  readonly icon?: LucideIcon;
  readonly children: string;
};

export function ButtonLink({
  variant = "secondary",
  icon,
  children,
  className = "",
  ...rest
}: ButtonLinkProps) {
  return (
    <Link {...rest} className={`${buttonClass(variant)} ${className}`}>
      {icon === undefined ? null : <Icon of={icon} />}
      {children}
    </Link>
  );
}
