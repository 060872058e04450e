// Where the parts of the frame are: for the app, and for the page that is shown until the app runs.
import type { ReactNode } from "react";

type FrameLayoutProps = {
  readonly topBar: ReactNode;
  readonly sidebar: ReactNode;
  readonly main: ReactNode;
  /** Null without one: then nothing keeps its room free. */
  readonly bottomNav: ReactNode;
};

export function FrameLayout({ topBar, sidebar, main, bottomNav }: FrameLayoutProps) {
  return (
    <div className={bottomNav === null ? "" : "with-bottom-nav"}>
      <a
        href="#main"
        className="fixed top-2 left-2 z-50 -translate-y-24 rounded-control bg-accent px-3 py-2 text-on-accent focus:translate-y-0"
      >
        Skip to content
      </a>
      {topBar}
      <div className="flex">
        {sidebar}
        {main}
      </div>
      {bottomNav}
    </div>
  );
}
