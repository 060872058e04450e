// Small values that outlive a visit (theme, last consignor): a checked, typed door to the browser's local storage.
import type * as z from "zod/mini";

export type LocalValue<T> = {
  readonly read: () => T;
  readonly write: (value: T) => void;
  /** Calls back when this or another tab writes the value; answers the function that ends it. */
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

/** A value under `key`: a text as it is, anything else as JSON. What is unreadable (no storage, old shape) counts as `fallback`. */
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
    // The same text gives the same object, so that React sees no change where there is none.
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
        // A full or forbidden storage costs the memory of the value, not the visit.
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
