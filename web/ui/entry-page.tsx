// The frame of the screens before sign-in: the store's name, the theme switch, one card.
import type { ReactNode } from "react";
import { Brand } from "./brand.tsx";
import { ThemeSwitch } from "./theme-switch.tsx";

type EntryPageProps = {
  /** Renders the card invisibly, so that nothing moves when it appears. */
  readonly isHidden?: boolean;
  readonly children: ReactNode;
};

export function EntryPage({ isHidden = false, children }: EntryPageProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex items-center justify-between gap-4 px-6 py-3 max-sm:px-4">
        <Brand />
        <ThemeSwitch />
      </header>
      <main
        className={`mx-auto w-full max-w-100 grow px-4 pt-[10dvh] pb-12 max-sm:pt-6 ${isHidden ? "invisible" : ""}`}
      >
        <div className="rounded-dialog border border-border bg-surface p-8 max-sm:border-0 max-sm:bg-transparent max-sm:p-0">
          {children}
        </div>
      </main>
    </div>
  );
}
