// Collects keys that are pressed outside text fields, and hands them over once no more follow: a scanner's never are.

/** No scanner pauses longer than this within a code (see `key-burst.ts`). */
const quietMs = 110;
/** More keys in a row than this are not a shortcut. After a slash they are what to search for. */
const mostKeys = 3;

const texts = "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]";
/** Elements that must be answered first: dialogs, menus, suggestions. A drawer next to its list is none. */
const asking = "[data-sheet], [role=alertdialog], [role=menu], [role=listbox]";

/** Whether the next keys belong to a text field, or to something that asks for an answer. */
export function isAsking(): boolean {
  return document.querySelector(asking) !== null;
}

export function isTyping(): boolean {
  return document.activeElement?.matches(texts) === true;
}

/**
 * Calls back with the keys of a shortcut, such as `?` or `gi`, or a slash with what was typed after it. Returns a
 * function that ends it.
 */
export function quietKeys(onKeys: (keys: string) => void): () => void {
  let keys = "";
  let timer: ReturnType<typeof setTimeout> | undefined;

  function forget(): void {
    clearTimeout(timer);
    keys = "";
  }

  function handOver(): void {
    const typed = keys;
    forget();
    if (!isAsking() && (typed.length <= mostKeys || typed.startsWith("/"))) {
      onKeys(typed);
    }
  }

  function onKeyDown(event: KeyboardEvent): void {
    const { key, ctrlKey, metaKey, altKey, repeat, isComposing } = event;
    if (key === "Shift") {
      return;
    }
    if (
      key.length !== 1 ||
      ctrlKey ||
      metaKey ||
      altKey ||
      isComposing ||
      isTyping() ||
      isAsking()
    ) {
      // Also the key that ends a scanned code.
      forget();
      return;
    }
    if (repeat) {
      // No scanner holds a key down.
      onKeys(key);
      return;
    }
    if (key === "/") {
      // Some browsers open their own search.
      event.preventDefault();
    }
    keys += key;
    clearTimeout(timer);
    timer = setTimeout(handOver, quietMs);
  }

  addEventListener("keydown", onKeyDown);
  return () => {
    forget();
    removeEventListener("keydown", onKeyDown);
  };
}
