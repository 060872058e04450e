// The frame of a screen: its title, also in the browser's tab, its actions, its width.
import type { ReactNode } from "react";
import { useTitle } from "./use-title.ts";

type PageProps = {
  readonly title: string;
  readonly subtitle?: ReactNode;
  /** A `BackLink` to the list that this page belongs to. */
  readonly back?: ReactNode;
  /** Buttons, primary last. */
  readonly actions?: ReactNode;
  /** Admin tables use the full width. Everything else stops at 1120 px. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
};

export function Page({ title, subtitle, back, actions, isWide = false, children }: PageProps) {
  useTitle(title);
  return (
    <div
      className={`mx-auto flex w-full flex-col gap-3 px-6 py-4 max-sm:px-4 max-sm:py-3 ${isWide ? "" : "max-w-[calc(1120px+3rem)] sm:gap-6 sm:py-6"}`}
    >
      {/* On a phone the actions stand next to the title if there is room, and the subtitle below both. */}
      <header className="flex flex-wrap items-center gap-x-4 gap-y-1 max-sm:gap-y-2">
        {back}
        <h1
          className={`max-w-full text-24 font-semibold wrap-break-word ${back === undefined ? "max-sm:grow" : "min-w-0 max-sm:flex-1"}`}
        >
          {title}
        </h1>
        {subtitle === undefined ? null : (
          <div className="min-w-0 text-12 text-muted max-sm:order-last max-sm:w-full sm:grow">
            {subtitle}
          </div>
        )}
        {actions === undefined ? null : (
          <div className="flex flex-wrap items-center gap-2 no-print sm:ms-auto">{actions}</div>
        )}
      </header>
      {children}
    </div>
  );
}
