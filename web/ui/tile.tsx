// An important number with its name. If there are lines behind it, the number links to them.
import { ArrowRight, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { Icon } from "./icon.tsx";
import { Skeleton } from "./skeleton.tsx";

type TileProps = {
  readonly label: string;
  readonly icon?: LucideIcon;
  /** Undefined while loading. */
  readonly value: ReactNode;
  /** A muted line below. */
  readonly hint?: ReactNode;
  /** The address of the lines that add up to the number. */
  readonly to?: string;
  /** A button below the number. */
  readonly action?: ReactNode;
};

export function Tile({ label, icon, value, hint, to, action }: TileProps) {
  const heading = (
    <span className="flex items-center gap-1.5 text-12 font-medium text-muted">
      {icon === undefined ? null : <Icon of={icon} size={14} />}
      {label}
      {to === undefined ? null : (
        <Icon
          of={ArrowRight}
          size={14}
          className="ms-auto text-faint transition-colors duration-120 group-hover:text-accent"
        />
      )}
    </span>
  );
  const number =
    value === undefined ? (
      <Skeleton className="my-1 h-5 w-24 sm:h-6" />
    ) : (
      <span className="text-24 font-semibold tabular-nums max-sm:text-20">{value}</span>
    );
  const frame = "card flex min-w-0 flex-col gap-1 p-4 max-sm:p-3";
  const hovered = "transition-colors duration-120 hover:border-border-strong";
  const content = (
    <>
      {heading}
      {number}
      {hint === undefined ? null : <span className="text-12 text-muted">{hint}</span>}
    </>
  );
  if (to === undefined) {
    return (
      <div className={frame}>
        {content}
        {action === undefined ? null : <div className="mt-2 flex flex-col">{action}</div>}
      </div>
    );
  }
  // The router only changes the address for an anchor on the same page, so this scrolls to it.
  const goThere = () =>
    document.getElementById(to.slice(to.indexOf("#") + 1))?.scrollIntoView({ block: "start" });
  // The link covers the whole tile. Its button is above the link.
  return action === undefined ? (
    <Link to={to} onClick={goThere} className={`${frame} group ${hovered}`}>
      {content}
    </Link>
  ) : (
    <div className={`${frame} group relative ${hovered}`}>
      <Link
        to={to}
        className="flex flex-col gap-1 rounded-bit after:absolute after:inset-0 after:rounded-card"
      >
        {content}
      </Link>
      <div className="relative mt-2 flex flex-col">{action}</div>
    </div>
  );
}
