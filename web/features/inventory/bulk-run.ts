// Runs one action on many items: each item is its own call under its own key, a few at a time. Failures are kept with their items.
import { useEffect, useRef, useState } from "react";
import type { InventoryItem } from "#features/inventory/contract.ts";
import { asApiError } from "#web/lib/api-error.ts";
import { randomId } from "#web/lib/random-id.ts";

/** Carries out the action on one item. Throws ApiError. */
export type ItemChange = (item: InventoryItem, key: string) => Promise<unknown>;

export type BulkFailure = { readonly item: InventoryItem; readonly message: string };

export type BulkState =
  | { readonly phase: "idle" }
  | { readonly phase: "running"; readonly ended: number; readonly total: number }
  | {
      readonly phase: "ended";
      readonly done: readonly InventoryItem[];
      readonly failures: readonly BulkFailure[];
      /** Items that were not started because the run was stopped. */
      readonly left: readonly InventoryItem[];
    };

export type BulkRun = {
  readonly state: BulkState;
  readonly start: (items: readonly InventoryItem[], change: ItemChange) => void;
  /** Calls that are under way are finished; no more are started. */
  readonly stop: () => void;
};

const atOnce = 4;
const progressEveryMs = 100;

export type BulkEnd = Extract<BulkState, { phase: "ended" }>;

/**
 * Changes item after item, a few at once. If it is unknown whether a call succeeded, the item keeps its key in `keys`, so
 * that the second try repeats the same request. Every other try gets a new key.
 */
export async function changeEach(
  items: readonly InventoryItem[],
  change: ItemChange,
  keys: Map<string, string>,
  watch: { readonly onEnded: (count: number) => void; readonly signal: AbortSignal },
): Promise<BulkEnd> {
  const done: InventoryItem[] = [];
  const failures: BulkFailure[] = [];
  const waiting = [...items];
  async function work(): Promise<void> {
    for (;;) {
      const item = watch.signal.aborted ? undefined : waiting.shift();
      if (item === undefined) {
        return;
      }
      const key = keys.get(item.id) ?? randomId();
      keys.set(item.id, key);
      try {
        await change(item, key);
        keys.delete(item.id);
        done.push(item);
      } catch (error) {
        const failure = asApiError(error);
        if (!failure.isUncertain) {
          keys.delete(item.id);
        }
        failures.push({ item, message: failure.message });
      }
      watch.onEnded(done.length + failures.length);
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work));
  const order = new Map(items.map(({ id }, index) => [id, index]));
  const place = ({ id }: InventoryItem) => order.get(id) ?? 0;
  return {
    phase: "ended",
    done: done.toSorted((a, b) => place(a) - place(b)),
    failures: failures.toSorted((a, b) => place(a.item) - place(b.item)),
    left: waiting,
  };
}

export function useBulkRun(onEnd: (end: BulkEnd) => void): BulkRun {
  const [state, setState] = useState<BulkState>({ phase: "idle" });
  const keys = useRef(new Map<string, string>());
  const running = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  async function run(items: readonly InventoryItem[], change: ItemChange): Promise<void> {
    const control = new AbortController();
    running.current = control;
    const total = items.length;
    setState({ phase: "running", ended: 0, total });
    let saidAt = 0;
    const end = await changeEach(items, change, keys.current, {
      signal: control.signal,
      onEnded(ended) {
        const now = performance.now();
        if (now - saidAt > progressEveryMs) {
          saidAt = now;
          setState({ phase: "running", ended, total });
        }
      },
    });
    running.current = undefined;
    setState(end);
    onEnd(end);
  }

  return {
    state,
    start(items, change) {
      if (running.current === undefined) {
        void run(items, change);
      }
    },
    stop: () => running.current?.abort(),
  };
}
