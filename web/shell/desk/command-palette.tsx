// The command palette: one field that finds screens, actions, items, people, sales, trades and parcels.
import { Dialog as BaseDialog } from "@base-ui/react/dialog";
import { Keyboard, Search } from "lucide-react";
import {
  useEffect,
  useEffectEvent,
  useId,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
} from "react";
import { lookupResponse, type FoundThing } from "#features/lookup/contract.ts";
import { useDebounced } from "#web/lib/debounced.ts";
import { pathOf } from "#web/lib/http.ts";
import { useRead } from "#web/lib/read.ts";
import { ErrorLine } from "#web/ui/error-line.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { scanEndedBy } from "#web/ui/scan-guard.ts";
import type { Scanned } from "./desk.tsx";
import { PaletteList } from "./palette-list.tsx";
import { fixedEntries, thingEntries, type PaletteEntry } from "./palette-entries.ts";

const debounceMs = 120;
const longestText = 128;

type CommandPaletteProps = {
  /** A code that several things have; undefined if a person opened the palette. */
  readonly scanned: Scanned | undefined;
  readonly isAdmin: boolean;
  readonly onGo: (to: string) => void;
  readonly onOpen: (thing: FoundThing) => void;
  readonly onScan: (code: string) => void;
  readonly onListKeys: () => void;
  readonly onClose: () => void;
};

function listOfKeys(): PaletteEntry {
  return {
    id: "keys",
    group: "Actions",
    icon: Keyboard,
    label: "Keyboard shortcuts",
    detail: "",
    keys: ["?"],
    target: { kind: "keys" },
  };
}

/** What is listed for the typed text, and whether the answer to exactly this text is there. */
function useEntries(typed: string, scanned: Scanned | undefined, isAdmin: boolean) {
  const text = typed.trim();
  const term = useDebounced(text, debounceMs);
  const isScanned = text === scanned?.code;
  const path = term === "" || isScanned ? undefined : pathOf("/lookup", { q: term, by: "text" });
  const { data, error } = useRead(path, lookupResponse, { keepPrevious: true });
  const things = text === "" ? undefined : isScanned ? scanned.things : data?.things;
  const entries = useMemo(() => {
    const fixed = isScanned ? [] : fixedEntries(isAdmin, text);
    const keys = isScanned || (text !== "" && !"keyboard shortcuts".includes(text.toLowerCase()));
    return [
      ...fixed,
      ...(keys ? [] : [listOfKeys()]),
      ...thingEntries(things ?? [], isAdmin),
    ].toSorted((one, other) => groupRank(one) - groupRank(other));
  }, [text, things, isAdmin, isScanned]);
  const isAnswered = isScanned || text === "" || (text === term && (data ?? error) !== undefined);
  return { entries, isAnswered, error: isScanned || text === "" ? undefined : error };
}

const groups = ["Actions", "Go to"];

/** Lines of one group stand together, in the order of the groups. */
function groupRank({ group }: PaletteEntry): number {
  const rank = groups.indexOf(group);
  return rank === -1 ? groups.length : rank;
}

export function CommandPalette(props: CommandPaletteProps) {
  const { scanned, isAdmin, onGo, onOpen, onScan, onListKeys, onClose } = props;
  const [typed, setTyped] = useState(scanned?.code ?? "");
  const [marked, setMarked] = useState(0);
  const [chosenText, setChosenText] = useState<string>();
  const { entries, isAnswered, error } = useEntries(typed, scanned, isAdmin);
  const field = useRef<HTMLInputElement>(null);
  const leads = useRef(false);
  const listId = useId();
  const index = Math.min(marked, entries.length - 1);

  function choose(entry: PaletteEntry): void {
    leads.current = entry.target.kind !== "keys";
    if (entry.target.kind === "address") {
      onGo(entry.target.to);
    } else if (entry.target.kind === "thing") {
      onOpen(entry.target.thing);
    } else {
      onListKeys();
    }
  }

  // Enter was pressed before the answer came.
  const chooseFirst = useEffectEvent(() => {
    const entry = entries[index];
    setChosenText(undefined);
    if (entry !== undefined && chosenText === typed) {
      choose(entry);
    }
  });
  useEffect(() => {
    if (chosenText !== undefined && isAnswered) {
      chooseFirst();
    }
  }, [chosenText, isAnswered]);

  function onKeyDown(event: KeyboardEvent): void {
    const scan = scanEndedBy(event.nativeEvent);
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (scan !== undefined) {
      event.preventDefault();
      onScan(scan.code);
    } else if (step !== 0 && entries.length > 0) {
      event.preventDefault();
      setMarked((index + step + entries.length) % entries.length);
    } else if (event.key === "Enter" && !event.nativeEvent.isComposing) {
      event.preventDefault();
      setChosenText(typed);
    }
  }

  return (
    <BaseDialog.Root open onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop
          forceRender
          className="fixed inset-0 bg-scrim motion-safe:animate-[fade_180ms_ease-out]"
        />
        <BaseDialog.Popup
          data-sheet
          initialFocus={field}
          // What was chosen takes the focus itself.
          finalFocus={() => !leads.current}
          className="fixed inset-x-0 top-0 flex max-h-dvh flex-col overflow-hidden rounded-dialog floating shadow-dialog outline-none max-sm:rounded-t-none sm:inset-x-auto sm:top-[12dvh] sm:left-1/2 sm:max-h-[min(32rem,76dvh)] sm:w-160 sm:max-w-[calc(100vw-3rem)] sm:-translate-x-1/2 sm:motion-safe:animate-[rise_180ms_ease-out]"
        >
          <BaseDialog.Title className="sr-only">Command palette</BaseDialog.Title>
          <div className="relative flex items-center border-b border-border">
            <Icon
              of={Search}
              size={20}
              className="pointer-events-none absolute start-4 text-faint"
            />
            <input
              ref={field}
              type="text"
              role="combobox"
              aria-label="Find or do"
              aria-autocomplete="list"
              aria-expanded={entries.length > 0}
              aria-controls={listId}
              aria-activedescendant={entries.length === 0 ? undefined : `${listId}-${index}`}
              placeholder={
                isAdmin
                  ? "Find an item, person, sale, trade, parcel or screen"
                  : "Find an item, sale, trade, parcel or screen"
              }
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              maxLength={longestText}
              data-takes-scans
              value={typed}
              onChange={(event) => {
                setTyped(event.target.value);
                setMarked(0);
                setChosenText(undefined);
              }}
              onKeyDown={onKeyDown}
              className="h-12 w-full bg-transparent ps-12 pe-4 text-16 outline-none placeholder:text-faint"
            />
          </div>
          <p role="status" className="sr-only">
            {isAnswered ? `${entries.length} found` : ""}
          </p>
          {scanned !== undefined && typed.trim() === scanned.code ? (
            <p className="px-4 pt-3 text-12 text-muted">{`${scanned.things.length} have the code ${scanned.code}.`}</p>
          ) : null}
          <PaletteList
            id={listId}
            entries={entries}
            marked={index}
            onMark={setMarked}
            onChoose={choose}
          />
          {entries.length > 0 || !isAnswered || error !== undefined ? null : (
            <p className="px-4 py-6 text-center text-muted">{`Nothing found for “${typed.trim()}”`}</p>
          )}
          <div className="px-4 not-empty:pb-3">
            <ErrorLine>{error?.message}</ErrorLine>
          </div>
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}
