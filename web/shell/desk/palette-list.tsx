// The lines below the command palette's field, in groups. The field keeps the focus; one line is marked.
import { Icon } from "#web/ui/icon.tsx";
import { Keys } from "./keys.tsx";
import type { PaletteEntry } from "./palette-entries.ts";

type PaletteListProps = {
  readonly id: string;
  readonly entries: readonly PaletteEntry[];
  readonly marked: number;
  readonly onMark: (index: number) => void;
  readonly onChoose: (entry: PaletteEntry) => void;
};

function scrollIntoSight(line: HTMLElement | null): void {
  line?.scrollIntoView({ block: "nearest" });
}

export function PaletteList({ id, entries, marked, onMark, onChoose }: PaletteListProps) {
  const numbered = entries.map((entry, index) => ({ entry, index }));
  const groups = [...Map.groupBy(numbered, ({ entry }) => entry.group)];
  return (
    <div
      id={id}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a select has no groups with icons
      role="listbox"
      aria-label="Results"
      className={`overflow-y-auto p-2 ${entries.length === 0 ? "hidden" : ""}`}
    >
      {groups.map(([group, lines]) => (
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a group of options
        <div key={group} role="group" aria-label={group} className="not-first:mt-2">
          <p aria-hidden="true" className="px-2 py-1 text-12 font-medium text-faint">
            {group}
          </p>
          {lines.map(({ entry, index }) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events jsx-a11y/interactive-supports-focus -- the field has the focus and the keys
            <div
              key={entry.id}
              ref={index === marked ? scrollIntoSight : undefined}
              id={`${id}-${index}`}
              // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an option with icon and keys
              role="option"
              aria-selected={index === marked}
              onPointerMove={() => onMark(index)}
              onClick={() => onChoose(entry)}
              className="flex min-h-9 cursor-pointer items-center gap-3 rounded-control px-2 py-1 select-none aria-selected:bg-hover touch:min-h-11"
            >
              <Icon of={entry.icon} className="text-muted" />
              <Words entry={entry} />
              {entry.keys.length === 0 ? null : (
                <span aria-hidden="true" className="contents touch:hidden">
                  <Keys keys={entry.keys} />
                </span>
              )}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

/** One line. On a phone an item has three: its owner has one of its own, so that no long name hides it. */
function Words({ entry: { label, owner, detail } }: { readonly entry: PaletteEntry }) {
  const stacked = owner === "" ? "" : "max-sm:flex-col max-sm:items-start";
  return (
    <span className={`flex min-w-0 grow items-center gap-x-3 ${stacked}`}>
      <span className="max-w-full min-w-0 grow truncate font-medium">{label}</span>
      {owner === "" ? null : (
        <span className="max-w-[25%] shrink-0 truncate text-12 max-sm:max-w-full">{owner}</span>
      )}
      <span
        className={`max-w-[55%] shrink-0 truncate text-12 text-muted empty:hidden ${owner === "" ? "" : "max-sm:max-w-full"}`}
      >
        {detail}
      </span>
    </span>
  );
}
