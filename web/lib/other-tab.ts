// Learns when another tab writes a value of the browser's storage: apart from `local-store.ts`, because only the till needs it.

/** Calls back when another tab writes the value under `key`. Returns a function that unsubscribes. */
export function onOtherTab(key: string, listener: () => void): () => void {
  const onStorage = (event: StorageEvent): void => {
    if (event.key === key) {
      listener();
    }
  };
  addEventListener("storage", onStorage);
  return () => removeEventListener("storage", onStorage);
}
