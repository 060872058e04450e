// Small values that outlive a visit (theme, last consignor): checked and typed access to the browser's local storage.
import type * as z from "zod/mini";

export type LocalValue<T> = {
  readonly read: () => T;
  readonly write: (value: T) => void;
  /** Calls back when this or another tab writes the value. Returns a function that unsubscribes. */
  readonly subscribe: (listener: () => void) => () => void;
};

/** Removes what is kept under `key`. */
export function forgetLocal(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Without a storage there is nothing to remove.
  }
}

/** A value under `key`: text as it is, anything else as JSON. Unreadable values (no storage, old shape) become `fallback`. */
export function localValue<T>(key: string, schema: z.ZodMiniType<T>, fallback: T): LocalValue<T> {
  const listeners = new Set<() => void>();
  let seen: { raw: string | null; value: T } | undefined;

  function readRaw(): string | null {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  }

  function parse(raw: string | null): T {
    if (raw === null) {
      return fallback;
    }
    const text = schema.safeParse(raw);
    if (text.success) {
      return text.data;
    }
    try {
      const parsed = schema.safeParse(JSON.parse(raw));
      return parsed.success ? parsed.data : fallback;
    } catch {
      return fallback;
    }
  }

  return {
    // The same text gives the same object, so that React does not see a change.
    read() {
      const raw = readRaw();
      if (seen === undefined || seen.raw !== raw) {
        seen = { raw, value: parse(raw) };
      }
      return seen.value;
    },
    write(value) {
      const raw = typeof value === "string" ? value : JSON.stringify(value);
      try {
        localStorage.setItem(key, raw);
      } catch {
        // If storage is full or blocked, the value is lost but the app keeps working.
      }
      seen = { raw: readRaw(), value };
      for (const listener of listeners) {
        listener();
      }
    },
    subscribe(listener) {
      const onStorage = (event: StorageEvent): void => {
        if (event.key === key) {
          listener();
        }
      };
      listeners.add(listener);
      addEventListener("storage", onStorage);
      return () => {
        listeners.delete(listener);
        removeEventListener("storage", onStorage);
      };
    },
  };
}
