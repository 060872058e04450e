// Answers shortcuts and scans: opens the palette or the list of keys, goes to a screen or a row, opens what was scanned.
import { useEffect, useEffectEvent, useState } from "react";
import { useLocation, useNavigate, type NavigateOptions } from "react-router-dom";
import { lookupResponse, type FoundThing, type LookupResponse } from "#features/lookup/contract.ts";
import { asApiError } from "#web/lib/api-error.ts";
import { pathOf, read } from "#web/lib/http.ts";
import { isAsking } from "#web/lib/quiet-keys.ts";
import { takeInPath } from "#web/paths.ts";
import { isFocusLost } from "#web/ui/focus-heading.ts";
import { askBeforeLeaving } from "#web/ui/leave-guard.ts";
import { showScanToast } from "#web/ui/toast.ts";
import { hasTypedText } from "#web/ui/typed-forms.ts";
import type { DeskAsk, DeskProps } from "../desk-host.tsx";
import { KeyList } from "./key-list.tsx";
import { CommandPalette } from "./command-palette.tsx";
import { pathOfThing } from "./found-things.ts";
import { runKeys } from "./run-keys.ts";
import { meantByScan } from "./scan-answer.ts";

type Shown =
  | { readonly kind: "nothing" }
  | { readonly kind: "keys" }
  | { readonly kind: "palette"; readonly scanned: Scanned | undefined };

/** A code that several things have. */
export type Scanned = {
  readonly code: string;
  readonly things: readonly FoundThing[];
  readonly hasMore: boolean;
};

const nothing: Shown = { kind: "nothing" };

/** The newest scan. An answer to an older one is dropped. */
let newest = 0;

/** A scan's answer may come when somebody has begun to type. */
function isBusy(): boolean {
  return isAsking() || hasTypedText();
}

/** The screen that was left may have had the focus. */
function focusScreen(): void {
  requestAnimationFrame(() => {
    if (isFocusLost()) {
      document.getElementById("main")?.focus({ preventScroll: true });
    }
  });
}

export function Desk({ ask, isAdmin, onAsk }: DeskProps) {
  const [shown, setShown] = useState<Shown>(nothing);
  const navigate = useNavigate();
  const location = useLocation();

  const [seen, setSeen] = useState<DeskAsk>();
  if (ask !== seen) {
    setSeen(ask);
    if (ask.kind === "palette") {
      setShown({ kind: "palette", scanned: undefined });
    } else if (ask.kind === "keys" && ask.keys === "?") {
      setShown({ kind: "keys" });
    }
  }

  function go(to: string, options: NavigateOptions = {}): void {
    askBeforeLeaving(() => {
      void navigate(to, options);
      focusScreen();
    });
  }

  function open(thing: FoundThing): void {
    setShown(nothing);
    // The drawer puts selling first: a person who scans an item is about to sell it.
    go(pathOfThing(thing, isAdmin, location), { state: { isFound: true } });
  }

  function answerScan(code: string, found: LookupResponse): void {
    const things = meantByScan(found.things);
    const [first, second] = things;
    const words = code.slice(0, 24);
    if (isBusy()) {
      showScanToast(`Scan ignored here: ${words}`);
    } else if (first === undefined) {
      const takeIn = { label: "Take in as a new item", onAct: () => go(takeInPath(code.trim())) };
      showScanToast(`Nothing has the code ${words}.`, isAdmin ? takeIn : undefined);
    } else if (second === undefined) {
      open(first);
    } else {
      setShown({ kind: "palette", scanned: { ...found, code: code.trim(), things } });
    }
  }

  const answer = useEffectEvent((asked: DeskAsk) => {
    if (asked.kind === "scan") {
      newest += 1;
      const mine = newest;
      void lookUp(asked.code.trim()).then((found) =>
        mine === newest && found !== undefined ? answerScan(asked.code, found) : undefined,
      );
    } else if (asked.kind === "keys") {
      runKeys(asked.keys, isAdmin, go);
    }
  });
  useEffect(() => answer(ask), [ask]);

  if (shown.kind === "keys") {
    return <KeyList isAdmin={isAdmin} onClose={() => setShown(nothing)} />;
  }
  return shown.kind === "nothing" ? null : (
    <CommandPalette
      key={shown.scanned?.code}
      scanned={shown.scanned}
      isAdmin={isAdmin}
      onGo={(to) => {
        setShown(nothing);
        go(to);
      }}
      onOpen={open}
      onScan={(code) => {
        setShown(nothing);
        onAsk({ kind: "scan", code });
      }}
      onListKeys={() => setShown({ kind: "keys" })}
      onClose={() => setShown(nothing)}
    />
  );
}

/** Longer codes belong to nothing, and the server does not read them. */
const longestCode = 128;

/** Undefined, with a message, if the server did not answer. */
async function lookUp(code: string): Promise<LookupResponse | undefined> {
  if (code.length > longestCode) {
    return { things: [], hasMore: false };
  }
  try {
    return (await read(pathOf("/lookup", { q: code }), lookupResponse)).value;
  } catch (error) {
    showScanToast(`${code.slice(0, 24)} could not be looked up: ${asApiError(error).message}`);
    return undefined;
  }
}
