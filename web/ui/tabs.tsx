// Tabs whose choice is stored in the address. Arrow keys move between them.
import { useId, type KeyboardEvent, type ReactNode } from "react";
import { useParams } from "#web/lib/search-param.ts";
import { formatCount } from "#web/lib/formats.ts";

export type Tab<Id extends string> = {
  readonly id: Id;
  readonly label: string;
  readonly count?: number | undefined;
  readonly content: ReactNode;
  /** Called when the tab is about to be chosen, to load its content. */
  readonly onReach?: () => void;
};

const noParams: readonly string[] = [];

type TabsProps<Id extends string> = {
  readonly label: string;
  /** The address's parameter. The first tab is the default without it. */
  readonly param?: string;
  readonly tabs: readonly [Tab<Id>, ...Tab<Id>[]];
  /** Other parameters that belong to only one tab and are removed with it. */
  readonly clears?: readonly string[];
};

/** Scrolls the row, never the page, to a chosen tab outside it; again when counts arrive and the tabs get wider. */
function keepInRow(tab: HTMLButtonElement | null): (() => void) | undefined {
  const row = tab?.parentElement;
  if (tab === null || row === null || row === undefined) {
    return undefined;
  }
  const observer = new ResizeObserver(() => {
    const own = tab.getBoundingClientRect();
    const room = row.getBoundingClientRect();
    row.scrollLeft += Math.max(0, own.right - room.right) - Math.max(0, room.left - own.left);
  });
  for (const one of row.children) {
    observer.observe(one);
  }
  return () => observer.disconnect();
}

export function Tabs<Id extends string>({
  label,
  param = "tab",
  tabs,
  clears = noParams,
}: TabsProps<Id>) {
  const [params, setParams] = useParams();
  const baseId = useId();
  const current = tabs.find((tab) => tab.id === params.get(param)) ?? tabs[0];

  function choose(tab: Tab<Id>): void {
    setParams({
      ...Object.fromEntries(clears.map((name) => [name, undefined])),
      [param]: tab === tabs[0] ? undefined : tab.id,
    });
  }

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
    const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };
    const step = steps[event.key];
    if (step === undefined) {
      return;
    }
    event.preventDefault();
    const next = tabs.at((tabs.indexOf(current) + step) % tabs.length);
    if (next !== undefined) {
      choose(next);
      event.currentTarget
        .querySelector<HTMLElement>(`#${CSS.escape(`${baseId}-${next.id}`)}`)
        ?.focus();
    }
  }

  return (
    <div className="flex flex-col gap-4">
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- the tabs inside take the focus */}
      <div
        role="tablist"
        aria-label={label}
        onKeyDown={onKeyDown}
        className={`scroll-edges flex overflow-x-auto border-b border-border no-print ${tabs.length > 5 ? "gap-2" : "gap-4"}`}
      >
        {tabs.map((tab) => (
          <button
            key={tab.id}
            ref={tab === current ? keepInRow : undefined}
            type="button"
            role="tab"
            id={`${baseId}-${tab.id}`}
            aria-selected={tab === current}
            aria-controls={`${baseId}-panel`}
            tabIndex={tab === current ? 0 : -1}
            onPointerEnter={tab.onReach}
            onFocus={tab.onReach}
            onClick={() => choose(tab)}
            className="-mb-px flex h-10 shrink-0 items-center gap-2 border-b-2 border-transparent px-1 font-medium text-muted transition-colors duration-120 -outline-offset-2 hover:text-text aria-selected:border-accent aria-selected:text-text touch:h-11"
          >
            {tab.label}
            {tab.count === undefined ? null : (
              <span className="rounded-pill bg-fill px-2 text-12 text-muted tabular-nums">
                {formatCount(tab.count)}
              </span>
            )}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${baseId}-panel`} aria-labelledby={`${baseId}-${current.id}`}>
        {current.content}
      </div>
    </div>
  );
}
