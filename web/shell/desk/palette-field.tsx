// The command palette's field: it keeps the focus, marks lines with the arrow keys, and hands scanned codes on.
import { Search, X } from "lucide-react";
import type { KeyboardEvent, RefObject } from "react";
import { Icon } from "#web/ui/icon.tsx";
import { IconButton } from "#web/ui/icon-button.tsx";
import { scanEndedBy } from "#web/ui/scan-guard.ts";

const longestText = 128;

type PaletteFieldProps = {
  readonly field: RefObject<HTMLInputElement | null>;
  readonly listId: string;
  /** The index of the marked line. */
  readonly marked: number;
  /** How many lines there are. */
  readonly count: number;
  readonly isAdmin: boolean;
  readonly typed: string;
  readonly onTyped: (text: string) => void;
  readonly onMark: (index: number) => void;
  readonly onEnter: () => void;
  readonly onScan: (code: string) => void;
  readonly onClose: () => void;
};

export function PaletteField(props: PaletteFieldProps) {
  const { field, listId, marked, count, isAdmin, typed, onTyped, onMark, onEnter, onScan } = props;
  const { onClose } = props;

  function onKeyDown(event: KeyboardEvent): void {
    const scan = scanEndedBy(event.nativeEvent);
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (scan !== undefined) {
      event.preventDefault();
      onScan(scan.code);
    } else if (step !== 0 && count > 0) {
      event.preventDefault();
      onMark((marked + step + count) % count);
    } else if (event.key === "Enter" && !event.nativeEvent.isComposing) {
      event.preventDefault();
      onEnter();
    }
  }

  return (
    <div className="relative flex items-center border-b border-border">
      <Icon of={Search} size={20} className="pointer-events-none absolute start-4 text-faint" />
      <input
        ref={field}
        type="text"
        role="combobox"
        aria-label="Find or do"
        aria-autocomplete="list"
        aria-expanded={count > 0}
        aria-controls={listId}
        aria-activedescendant={count === 0 ? undefined : `${listId}-${marked}`}
        placeholder={
          isAdmin
            ? "Find an item, person, sale, trade, parcel, payout or screen"
            : "Find an item, sale, trade, parcel, payout or screen"
        }
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={longestText}
        data-takes-scans
        value={typed}
        onChange={(event) => onTyped(event.target.value)}
        onKeyDown={onKeyDown}
        className="h-12 w-full min-w-0 bg-transparent ps-12 pe-4 text-16 outline-none placeholder:text-faint"
      />
      {/* Without a keyboard there is no Esc, and the palette may cover the whole screen. */}
      <span className="hidden max-sm:contents touch:contents">
        <IconButton icon={X} label="Close" size={20} onClick={onClose} className="me-1" />
      </span>
    </div>
  );
}
