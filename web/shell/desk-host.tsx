// Hears shortcuts and stray scans on every signed-in screen. What answers them is loaded with the first one.
import { useEffect, useState } from "react";
import { isAsking, quietKeys } from "#web/lib/quiet-keys.ts";
import { paths } from "#web/paths.ts";
import { onDemand } from "#web/ui/on-demand.tsx";
import { useScans } from "#web/ui/scan-takers.ts";
import { hasTypedText } from "#web/ui/typed-forms.ts";

/** A new object is asked again, even with the same content. */
export type DeskAsk =
  | { readonly kind: "palette" }
  | { readonly kind: "keys"; readonly keys: string }
  | { readonly kind: "scan"; readonly code: string };

export type DeskProps = {
  readonly ask: DeskAsk;
  readonly isAdmin: boolean;
  readonly onAsk: (ask: DeskAsk) => void;
  /** Only if the script cannot be loaded. */
  readonly onClose: () => void;
};

const Desk = onDemand<DeskProps>(() => import("./desk/desk.tsx").then((file) => file.Desk));

/** The button in the top bar asks the same as Ctrl K. */
export const paletteEvent = "palette";

/** Whether a scan may lead to another screen now. */
function mayLeave(): boolean {
  return !isAsking() && !hasTypedText() && location.pathname !== paths.pos;
}

export function DeskHost({ isAdmin }: { readonly isAdmin: boolean }) {
  const [ask, setAsk] = useState<DeskAsk>();
  useScans((code) => {
    if (mayLeave()) {
      setAsk({ kind: "scan", code });
    }
    return mayLeave();
  });
  useEffect(() => {
    const openPalette = (): void => setAsk({ kind: "palette" });
    const onKeyDown = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
      if (key.toLowerCase() === "k" && (ctrlKey || metaKey) && !altKey && !shiftKey) {
        // Otherwise some browsers go to their address bar.
        event.preventDefault();
        if (!isAsking()) {
          openPalette();
        }
      } else if (key === "ArrowDown" && document.activeElement?.matches("#main [type=search]")) {
        // From what was searched for to the first row that was found.
        event.preventDefault();
        setAsk({ kind: "keys", keys: "j" });
      }
    };
    const stop = quietKeys((keys) => setAsk({ kind: "keys", keys }));
    addEventListener("keydown", onKeyDown);
    addEventListener(paletteEvent, openPalette);
    return () => {
      stop();
      removeEventListener("keydown", onKeyDown);
      removeEventListener(paletteEvent, openPalette);
    };
  }, []);
  return ask === undefined ? null : (
    <Desk ask={ask} isAdmin={isAdmin} onAsk={setAsk} onClose={() => setAsk(undefined)} />
  );
}
