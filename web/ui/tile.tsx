// An important number with its name. If there are lines behind it, the number links to them.
import { ArrowRight } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { Icon } from "./icon.tsx";
import { Skeleton } from "./skeleton.tsx";

type TileProps = {
  readonly label: string;
  /** Undefined while loading. */
  readonly value: ReactNode;
  /** A muted line below. */
  readonly hint?: ReactNode;
  /** The address of the lines that add up to the number. */
  readonly to?: string;
};

export function Tile({ label, value, hint, to }: TileProps) {
  const heading = (
    <span className="flex items-center gap-1.5 text-12 font-medium text-muted">
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
  const content = (
    <>
      {heading}
      {number}
      {hint === undefined ? null : <span className="text-12 text-muted">{hint}</span>}
    </>
  );
  return to === undefined ? (
    <div className={frame}>{content}</div>
  ) : (
    <Link
      to={to}
      className={`${frame} group transition-colors duration-120 hover:border-border-strong`}
    >
      {content}
    </Link>
  );
}
