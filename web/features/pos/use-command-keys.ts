// The keys of the till's field: Enter, the function keys, the arrows, and a scanner's bursts told from a hand's typing.
import type { KeyboardEvent, RefObject } from "react";
import type { CatalogueItem } from "#features/inventory/contract.ts";
import type { Scan } from "#web/lib/key-burst.ts";
import { scanEndedBy } from "#web/ui/scan-guard.ts";
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
  function take(): string {
    const text = emptyField(field.current);
    onTyped("");
    return text;
  }
  function submitScan(scan: Scan): void {
    const text = take();
    // Empty where the scanner ends its codes with two keys and this is the second.
    if (text !== "") {
      // The field knows better than the keys where some of them are dead or held down, but a hand may have typed before.
      enter(text, scan.keys < text.length ? scan.code : text);
    }
  }
  function submit(): void {
    const text = take();
    const choice = choices[highlighted];
    const isChoosing = text.trim() === choicesFor;
    if (isChoosing && choice !== undefined && !hasBarcode(choice, text.trim())) {
      pick(choice);
    } else {
      enter(text);
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
    // Some scanners end a code with Tab.
    const scan = scanEndedBy(event.nativeEvent);
    if (scan !== undefined) {
      event.preventDefault();
      submitScan(scan);
      return;
    }
    const acts: Readonly<Record<string, () => void>> = {
      Enter: submit,
      F2: () => askScan(),
      F4: () => askQuantity(),
      F9: () => void pay(take()),
      Escape: escape,
      ArrowDown: () => move(1),
      ArrowUp: () => move(-1),
    };
    const act = acts[event.key];
    if (act !== undefined) {
      event.preventDefault();
      act();
    }
  };
}
