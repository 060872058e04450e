// The actions on selected rows, at the bottom of the screen: count, total, buttons.
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { formatCount } from "#web/lib/formats.ts";
import { IconButton } from "./icon-button.tsx";

type BulkBarProps = {
  readonly count: number;
  /** For example the selected rows' sum. */
  readonly total?: ReactNode;
  readonly onClear: () => void;
  /** Buttons, primary last. */
  readonly children: ReactNode;
};

export function BulkBar({ count, total, onClear, children }: BulkBarProps) {
  return (
    <section
      aria-label="Selected rows"
      className="sticky bottom-[calc(var(--bottom-nav)+1rem)] z-20 mx-auto flex w-fit max-w-full flex-wrap items-center gap-x-4 gap-y-2 rounded-card floating py-2 ps-4 pe-2 shadow-menu motion-safe:animate-[rise_180ms_ease-out] no-print"
    >
      <p className="font-medium tabular-nums" aria-live="polite">
        {formatCount(count)} selected
      </p>
      {total === undefined ? null : <p className="font-semibold tabular-nums">{total}</p>}
      <div className="flex flex-wrap items-center gap-2">
        {children}
        <IconButton icon={X} label="Clear selection" onClick={onClear} />
      </div>
    </section>
  );
}
