// The frame of a screen: its title, also in the browser's tab, its actions, its width.
import type { ReactNode } from "react";
import { useTitle } from "./use-title.ts";

type PageProps = {
  readonly title: string;
  readonly subtitle?: ReactNode;
  /** Buttons, primary last. */
  readonly actions?: ReactNode;
  /** Admin tables use the full width. Everything else stops at 1120 px. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
};

export function Page({ title, subtitle, actions, isWide = false, children }: PageProps) {
  useTitle(title);
  return (
    <div
      className={`mx-auto flex w-full flex-col gap-6 px-6 py-6 max-sm:gap-4 max-sm:px-4 max-sm:py-4 ${isWide ? "" : "max-w-[calc(1120px+3rem)]"}`}
    >
      <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <div className="flex min-w-0 flex-col gap-1">
          <h1 className="text-24 font-semibold">{title}</h1>
          {subtitle === undefined ? null : <div className="text-muted">{subtitle}</div>}
        </div>
        {actions === undefined ? null : (
          <div className="flex flex-wrap items-center gap-2 no-print max-sm:w-full max-sm:*:grow">
            {actions}
          </div>
        )}
      </header>
      {children}
    </div>
  );
}
