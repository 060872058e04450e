// A strip of important numbers: one line of tiles, on a tablet two if they need them. On a phone it scrolls sideways, or
// takes two columns. Two strips in a row stand in an element with `data-tight`: hints have no room then but on the widest screens.
import { ArrowRight, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { Icon } from "./icon.tsx";
import { Skeleton } from "./skeleton.tsx";

type TileStripProps = {
  /** The strip's name for screen readers. */
  readonly label: string;
  /** `StripTile`s. */
  readonly children: ReactNode;
  /** On a phone: all tiles at once, in two columns, with their hints. Above a list they would take too much room. */
  readonly isWrapped?: boolean;
};

export function TileStrip({ label, children, isWrapped = false }: TileStripProps) {
  if (isWrapped) {
    return (
      <section
        aria-label={label}
        data-wrapped
        className="card grid grid-cols-2 gap-px overflow-hidden bg-border *:bg-surface sm:auto-cols-fr sm:grid-flow-col sm:grid-cols-none max-sm:*:rounded-none! max-sm:*:odd:last:col-span-2"
      >
        {children}
      </section>
    );
  }
  return (
    <section aria-label={label} className="card overflow-hidden">
      <div
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- without links inside, only this can be scrolled by keyboard
        tabIndex={0}
        className="scroll-edges flex gap-px overflow-x-auto overscroll-x-contain bg-border -outline-offset-2 *:bg-surface not-in-data-tight:sm:max-lg:flex-wrap sm:max-lg:*:rounded-none!"
      >
        {children}
      </div>
    </section>
  );
}

type StripTileProps = {
  readonly label: string;
  readonly icon?: LucideIcon;
  /** Undefined while loading. */
  readonly value: ReactNode;
  /** A few muted words next to the number. On a phone only a wrapped strip has room for them. */
  readonly hint?: string | undefined;
  /** A few words with an amount next to the number. They are never cut, and a phone shows them too. */
  readonly detail?: string | undefined;
  /** What may be wrong with the number. It replaces the hint, also on a phone. */
  readonly warning?: string | undefined;
  /** The address of the lines that add up to the number. */
  readonly to?: string;
};

const look =
  "flex flex-[1_0_auto] flex-col justify-center px-4 py-1.5 first:rounded-s-card last:rounded-e-card max-sm:px-3 in-data-tight:px-3 in-data-tight:max-[110rem]:min-w-min";

/** Only a hint may be cut. A detail gets the width of its words, if there is as much. */
function widthOf({ hint, warning, detail }: StripTileProps): string {
  const least =
    hint === undefined && warning === undefined
      ? "min-w-min"
      : "min-w-0 not-in-data-wrapped:not-in-data-tight:sm:max-lg:min-w-min";
  return `${least} ${detail === undefined ? "sm:flex-[1_1_0]" : "sm:flex-[0_1_auto]"}`;
}

export function StripTile(props: StripTileProps) {
  const { label, icon, value, hint, detail, warning, to } = props;
  const cell = `${look} ${widthOf(props)}`;
  const content = (
    <>
      <span className="flex items-center gap-1.5 text-12 font-medium whitespace-nowrap text-muted">
        {icon === undefined ? null : <Icon of={icon} size={14} />}
        {label}
        {to === undefined ? null : (
          <Icon
            of={ArrowRight}
            size={14}
            className="ms-auto text-faint in-data-tight:max-[110rem]:hidden transition-colors duration-120 group-hover:text-accent"
          />
        )}
      </span>
      <span
        className={`flex min-h-5 items-baseline gap-x-2 max-sm:in-data-wrapped:flex-wrap ${detail === undefined ? "" : "sm:flex-wrap"}`}
      >
        {value === undefined ? (
          <Skeleton className="h-4 w-16 self-center" />
        ) : (
          <span className="text-16 leading-5 font-semibold whitespace-nowrap tabular-nums">
            {value}
          </span>
        )}
        {detail === undefined ? null : (
          <span className="text-12 whitespace-nowrap text-muted tabular-nums">{detail}</span>
        )}
        {warning !== undefined ? (
          <span className="truncate text-12 text-pending">{warning}</span>
        ) : hint === undefined ? null : (
          <span
            className="truncate text-12 text-muted in-data-tight:max-[110rem]:hidden max-sm:whitespace-normal max-sm:not-in-data-wrapped:hidden"
            data-tip={hint}
          >
            {hint}
          </span>
        )}
      </span>
    </>
  );
  if (to === undefined) {
    return <div className={cell}>{content}</div>;
  }
  // The router only changes the address for an anchor on the same page, so this scrolls to it.
  const goThere = () =>
    document.getElementById(to.slice(to.indexOf("#") + 1))?.scrollIntoView({ block: "start" });
  return (
    <Link
      to={to}
      onClick={goThere}
      className={`${cell} group -outline-offset-2 transition-colors duration-120 hover:bg-hover`}
    >
      {content}
    </Link>
  );
}
