// Keeps a scanner's keys from pressing buttons and from changing amounts, dates and choices.
import { keyBurst, type Scan } from "#web/lib/key-burst.ts";

/** Text that is never a code, such as a reason. */
const words = "[data-takes-no-scans]";
/** Controls for an amount, a quantity, a date or a choice, and words. */
const values = `select, [type^=date], [data-is-day], ${words}, [inputmode=decimal], [inputmode=numeric]:not([autocomplete=one-time-code])`;
/** Fields that accept a code as text. A field that takes scans handles Enter itself and asks `scanEndedBy` about it. */
const texts = `[data-takes-scans], textarea, input:not(${values}, [type=checkbox], [type=radio], [type=range], [type=file])`;
/** A suggestion list for the text before the scan. */
const suggestions = "[role=combobox]:not([data-takes-scans])";
/** What password managers fill in: they type as fast as scanners. */
const secrets = "[type=password], [autocomplete=one-time-code], [name=recoveryCode]";
/** Fields in which Enter would book something. Searches and sign-ins do not. */
const sending = `form:not(search form, :has(${secrets})) input`;

/** A person does not press Enter on a dialog's button this soon after a letter or digit; a short or slow code ends so. */
const TOO_SOON_MS = 100;

const readKey = keyBurst();
const scans = new WeakMap<Event, Scan>();
let lastScan: Scan | undefined;
/** The values before the burst of fields that do not take codes. */
const before = new Map<Element, unknown>();
/** The focused element before the burst. In an open menu, a code's letters move the focus between items. */
let focused: Element | null = null;
/** The frame in which the focus goes back. On a busy device it may come after a person's next key. */
let focusFrame = 0;
/** What the burst has typed so far. */
let typed = "";
/** When the last letter or digit came. */
let printedAt = -TOO_SOON_MS;
/** A blocked key that is still held down. Releasing it would press a button too. */
let heldKey = "";

/** The scan that this key ended; undefined if a person pressed it. */
export function scanEndedBy(event: Event): Scan | undefined {
  return scans.get(event);
}

/**
 * Restores the values as if they were typed. React only notices a value that differs from the one it knows, and it may
 * already know this one while the address still has the scanned text. So it first gets a value that no control has.
 */
function restoreValues(): void {
  for (const [control, value] of before) {
    Reflect.set(control, "value", `${String(value)}?`);
    Reflect.set(Object(Object.getPrototypeOf(control)), "value", value, control);
    control.dispatchEvent(new Event("change", { bubbles: true }));
  }
  before.clear();
}

function isDialogsButton(at: Element): boolean {
  return !at.matches(`${texts}, ${values}`) && at.closest("[role$=dialog]") !== null;
}

function swallow(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

function restoreFocus(): void {
  const was = focused;
  // A menu moves the focus in the next frame, so this has to run after it.
  focusFrame = requestAnimationFrame(() => {
    if (was instanceof HTMLElement) {
      was.focus();
      if (was.role === "menu") {
        // No item had the focus, and only closing the menu removes the highlight.
        was.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
      }
    }
  });
}

type OnStray = (scan: Scan, isKept: boolean) => void;

function onKeyDown(event: KeyboardEvent, at: Element, onStray: OnStray): void {
  const { key, timeStamp } = event;
  const isText = at.matches(texts);
  const read = readKey(key, timeStamp, !isText && at.matches(values));
  if (typeof read === "number") {
    // Somebody goes on: the focus stays where they put it.
    cancelAnimationFrame(focusFrame);
    if (read === 1) {
      before.clear();
      focused = document.activeElement;
      typed = "";
    }
    typed += read > 0 ? key : "";
    if (read > 0 && !isText && at.matches(values) && !before.has(at)) {
      before.set(at, Reflect.get(at, "value"));
    }
    if (read > 1 && key === " " && !isText && !at.matches(words) && typed.trim() !== "") {
      // Part of a code: it would press the focused button, or open a list. Between words it may be a quick hand's.
      swallow(event);
      heldKey = key;
    }
    const sinceMs = timeStamp - printedAt;
    if (key === "Enter" && sinceMs >= 0 && sinceMs < TOO_SOON_MS && isDialogsButton(at)) {
      swallow(event);
      heldKey = key;
    }
    printedAt = key.length === 1 && key !== " " ? timeStamp : printedAt;
    return;
  }
  scans.set(event, read);
  restoreValues();
  const isHeldBack = isText && key === "Enter" && at.matches(sending);
  if (!isText || (key === "Enter" && at.matches(suggestions))) {
    swallow(event);
    heldKey = key;
  } else if (isHeldBack) {
    event.preventDefault();
  }
  if (read !== lastScan && (!isText || isHeldBack)) {
    if (!isText) {
      restoreFocus();
    }
    onStray(read, isText);
  }
  lastScan = read;
}

/**
 * Call it once before any other key listener. `onStray` reports scans where no code is expected, and those that a text
 * field kept while their Enter was blocked. The first keys of a scan look like typing, so they arrive, and are
 * reverted when the last one has come.
 */
export function guardFromScans(onStray: OnStray): void {
  const listen = (event: Event): void => {
    const { target } = event;
    // Autofill sends events with these names that have no key.
    if (
      !(event instanceof KeyboardEvent && target instanceof Element && event.isTrusted) ||
      event.isComposing
    ) {
      return;
    }
    if (event.key === heldKey && (event.repeat || event.type === "keyup")) {
      swallow(event);
      heldKey = event.repeat ? heldKey : "";
    } else if (event.type === "keydown" && !event.repeat) {
      onKeyDown(event, target, onStray);
    }
  };
  addEventListener("pointerdown", () => cancelAnimationFrame(focusFrame), true);
  addEventListener("keydown", listen, true);
  addEventListener("keyup", listen, true);
}
