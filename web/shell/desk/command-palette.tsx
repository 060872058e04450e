// The command palette: one field that finds screens, actions, items, people, sales, trades, parcels and payouts.
import { Dialog as BaseDialog } from "@base-ui/react/dialog";
import { Keyboard } from "lucide-react";
import { useEffect, useEffectEvent, useId, useMemo, useRef, useState } from "react";
import { lookupResponse, type FoundThing } from "#features/lookup/contract.ts";
import { useDebounced } from "#web/lib/debounced.ts";
import { pathOf } from "#web/lib/http.ts";
import { useRead } from "#web/lib/read.ts";
import { ErrorLine } from "#web/ui/error-line.tsx";
import type { Scanned } from "./desk.tsx";
import { PaletteField } from "./palette-field.tsx";
import { PaletteList } from "./palette-list.tsx";
import { fixedEntries, thingEntries, type PaletteEntry } from "./palette-entries.ts";

const debounceMs = 120;

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
    owner: "",
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

/** Chooses the marked entry: at once, or when the answer to the typed text comes. */
function useChoice(
  { entries, isAnswered }: ReturnType<typeof useEntries>,
  marked: number,
  choose: (entry: PaletteEntry) => void,
) {
  const [isWaiting, setWaiting] = useState(false);
  const chooseMarked = useEffectEvent(() => {
    const entry = entries[marked];
    if (entry !== undefined) {
      choose(entry);
    }
  });
  useEffect(() => {
    if (isWaiting && isAnswered) {
      chooseMarked();
    }
  }, [isWaiting, isAnswered]);
  return setWaiting;
}

export function CommandPalette(props: CommandPaletteProps) {
  const { scanned, isAdmin, onGo, onOpen, onScan, onListKeys, onClose } = props;
  const [typed, setTyped] = useState(scanned?.code ?? "");
  const [marked, setMarked] = useState(0);
  const found = useEntries(typed, scanned, isAdmin);
  const { entries, isAnswered, error } = found;
  const field = useRef<HTMLInputElement>(null);
  const leads = useRef(false);
  const listId = useId();
  const index = Math.min(marked, entries.length - 1);

  function choose({ target }: PaletteEntry): void {
    leads.current = target.kind !== "keys";
    if (target.kind === "address") {
      onGo(target.to);
    } else if (target.kind === "thing") {
      onOpen(target.thing);
    } else {
      onListKeys();
    }
  }
  const setWaiting = useChoice(found, index, choose);

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
          <PaletteField
            field={field}
            listId={listId}
            marked={index}
            count={entries.length}
            isAdmin={isAdmin}
            typed={typed}
            onTyped={(text) => {
              setTyped(text);
              setMarked(0);
              setWaiting(false);
            }}
            onMark={setMarked}
            onEnter={() => setWaiting(true)}
            onScan={onScan}
            onClose={onClose}
          />
          <output className="sr-only">{isAnswered ? `${entries.length} found` : ""}</output>
          {scanned !== undefined && typed.trim() === scanned.code ? (
            <p className="px-4 pt-3 text-12 text-muted">{`${scanned.things.length} have the code ${scanned.code}${scanned.hasMore ? ", and there are more" : ""}.`}</p>
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
