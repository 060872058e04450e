// Keeps a scanner's keys from what they were not meant for: they press no button, and leave no trace in amounts, dates and choices.
import { keyBurst, type Scan } from "#web/lib/key-burst.ts";

/** Where a hand enters an amount, a quantity or a date, or makes a choice. */
const values = "select, [type^=date], [inputmode=decimal], [inputmode=numeric]";
/** Where a code is text. A field that takes scans acts on Enter by itself, and asks `scanEndedBy` about it. */
const texts = `[data-takes-scans], textarea, input:not(${values}, [type=checkbox], [type=radio], [type=range], [type=file])`;
/** A list that belongs to the text before the scan. */
const suggestions = "[role=combobox]:not([data-takes-scans])";
/** Where Enter would book something: a search does not, and password managers type as fast as scanners. */
const sending = "form:not(search form, :has([type=password])) input";

const readKey = keyBurst();
const scans = new WeakMap<Event, Scan>();
let lastScan: Scan | undefined;
/** What stood in fields that are not for codes before the burst. */
const before = new Map<Element, unknown>();
/** What had the focus before the burst: in an open menu, a code's letters move it from line to line. */
let focused: Element | null = null;
/** What the burst has typed so far. */
let typed = "";
/** A key that was swallowed and is still held down: to let it go presses a button too. */
let heldKey = "";

/** The scan that this key ended; undefined where a hand pressed it. */
export function scanEndedBy(event: Event): Scan | undefined {
  return scans.get(event);
}

/**
 * As if it was typed. React asks whether the value is another one than it knows, and it may know this one already while the
 * address still takes up what was scanned: so it first gets to know a value that nothing has.
 */
function restoreValues(): void {
  for (const [control, value] of before) {
    Reflect.set(control, "value", `${String(value)}?`);
    Reflect.set(Object(Object.getPrototypeOf(control)), "value", value, control);
    control.dispatchEvent(new Event("change", { bubbles: true }));
  }
  before.clear();
}

function swallow(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

function restoreFocus(): void {
  const was = focused;
  // A menu moves the focus with the next frame, so this has to come behind.
  requestAnimationFrame(() => {
    if (was instanceof HTMLElement) {
      was.focus();
      if (was.role === "menu") {
        // No line had the focus, and only closing the menu takes the highlight away.
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
    if (read === 1) {
      before.clear();
      focused = document.activeElement;
      typed = "";
    }
    typed += read > 0 ? key : "";
    if (read > 0 && !isText && at.matches(values) && !before.has(at)) {
      before.set(at, Reflect.get(at, "value"));
    }
    if (read > 1 && key === " " && !isText && typed.trim() !== "") {
      // Part of a code: it would press the button that has the focus, or open a list.
      swallow(event);
      heldKey = key;
    }
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
 * Call it once before anything else listens to keys. `onStray` hears of scans that came where no code is wanted, and of those
 * that a text field kept while their Enter was held back. The first keys of a scan cannot be told from typing: they arrive, and
 * are taken back when the last one has come.
 */
export function guardFromScans(onStray: OnStray): void {
  const listen = (event: Event): void => {
    const { target } = event;
    // Filling in a remembered form makes events of these names that are of no key.
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
  addEventListener("keydown", listen, true);
  addEventListener("keyup", listen, true);
}
