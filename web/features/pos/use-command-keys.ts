// The keys of the till's field: Enter, the function keys, the arrows, and a scanner's bursts told from a hand's typing.
import { useState, type KeyboardEvent, type RefObject } from "react";
import type { CatalogueItem } from "#features/inventory/contract.ts";
import { keyBurst } from "./key-burst.ts";
import { askQuantity, askScan, clearOffered, enter, pay, pick, stepBack } from "./till.ts";

/** A whole barcode goes the way of a scan, so that several owners are asked about. */
function hasBarcode({ barcode1, barcode2 }: CatalogueItem, code: string): boolean {
  return code !== "" && (barcode1 === code || barcode2 === code);
}

/** Takes out what stands in a field. */
export function emptyField(field: HTMLInputElement | null): string {
  const text = field?.value ?? "";
  if (field !== null) {
    field.value = "";
  }
  return text;
}

export type CommandKeys = {
  readonly field: RefObject<HTMLInputElement | null>;
  /** What stands in the field, for whoever shows it elsewhere too. */
  readonly onTyped: (text: string) => void;
  /** What can be chosen below the field, for what stands in it now. */
  readonly choices: readonly CatalogueItem[];
  /** The words they were found for; "" where they are there without any. */
  readonly choicesFor: string;
  readonly highlighted: number;
  readonly onHighlight: (index: number) => void;
};

export function useCommandKeys(
  keys: CommandKeys,
): (event: KeyboardEvent<HTMLInputElement>) => void {
  const { field, onTyped, choices, choicesFor, highlighted, onHighlight } = keys;
  const [burst] = useState(keyBurst);

  function take(): string {
    const text = emptyField(field.current);
    onTyped("");
    return text;
  }
  function submit(atMs: number): void {
    const text = take();
    const isScan = burst.end(atMs, text.length);
    const choice = choices[highlighted];
    const isChoosing = !isScan && text.trim() === choicesFor;
    if (isChoosing && choice !== undefined && !hasBarcode(choice, text.trim())) {
      pick(choice);
    } else {
      enter(text, isScan);
    }
  }
  function escape(): void {
    if (take() === "") {
      stepBack();
    }
    clearOffered();
  }
  function move(step: number): void {
    if (choices.length > 0) {
      onHighlight((highlighted + step + choices.length) % choices.length);
    }
  }

  return (event) => {
    const { key, timeStamp } = event;
    const acts: Readonly<Record<string, () => void>> = {
      Enter: () => submit(timeStamp),
      F2: () => askScan(),
      F4: () => askQuantity(),
      F9: () => void pay(take()),
      Escape: escape,
      ArrowDown: () => move(1),
      ArrowUp: () => move(-1),
    };
    const act = acts[key];
    const length = field.current?.value.length ?? 0;
    if (act !== undefined) {
      event.preventDefault();
      act();
    } else if (key === "Tab" && burst.end(timeStamp, length)) {
      // Some scanners end a code with Tab.
      event.preventDefault();
      enter(take(), true);
    } else if (key.length === 1) {
      burst.key(timeStamp);
    } else if (key === "Backspace") {
      burst.reset();
    }
  };
}
