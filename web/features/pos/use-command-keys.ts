// The keys of the till's field: Enter, function keys, arrows, and a scanner's bursts as opposed to typing.
import type { KeyboardEvent, RefObject } from "react";
import type { CatalogueItem } from "#features/inventory/contract-catalogue.ts";
import type { Scan } from "#web/lib/key-burst.ts";
import { scanEndedBy } from "#web/ui/scan-guard.ts";
import {
  askScan,
  changeQuantity,
  clearOffered,
  enter,
  pay,
  payBy,
  pick,
  stepBack,
} from "./till.ts";

/** A complete barcode is handled like a scan, so that the till asks about several owners. */
function hasBarcode({ barcode1, barcode2 }: CatalogueItem, code: string): boolean {
  return code !== "" && (barcode1 === code || barcode2 === code);
}

/** Clears the text of a field. */
export function emptyField(field: HTMLInputElement | null): string {
  const text = field?.value ?? "";
  if (field !== null) {
    field.value = "";
  }
  return text;
}

export type CommandKeys = {
  readonly field: RefObject<HTMLInputElement | null>;
  /** The text in the field, for other parts that show it. */
  readonly onTyped: (text: string) => void;
  /** The choices below the field for its current text. */
  readonly choices: readonly CatalogueItem[];
  /** The text they were found for; "" if they do not depend on one. */
  readonly choicesFor: string;
  /** -1 for none. */
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
    // Empty if the scanner ends its codes with two keys and this is the second.
    if (text !== "") {
      // The field's text is more reliable than the keys if some are dead or held down, but a person may have typed before.
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
      // From none, to the first or the last.
      const from = highlighted < 0 && step < 0 ? 0 : highlighted;
      onHighlight((from + step + choices.length) % choices.length);
    }
  }

  return (event) => {
    const text = field.current?.value ?? "";
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
      F4: () => changeQuantity(text),
      F7: () => void payBy("other", text),
      F8: () => void payBy("card", text),
      F9: () => void pay(text),
      Escape: escape,
      ArrowDown: () => move(1),
      ArrowUp: () => move(-1),
    };
    const act = acts[event.key];
    if (act !== undefined) {
      event.preventDefault();
      // A key held down since it opened the payment must not complete it. The arrows may repeat.
      if (!event.repeat || event.key.startsWith("Arrow")) {
        act();
      }
    }
  };
}
