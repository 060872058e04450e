// What the single keys do: G and a letter go to a screen, J and K walk through rows, X selects one, a slash searches.
import { placeOfKey } from "./key-places.ts";

/** The second letter comes within this time. */
const goMs = 1500;
let wentAt = 0;

/** Keys that were pressed one after the other, as `quietKeys` hands them over. */
export function runKeys(keys: string, isAdmin: boolean, onGo: (to: string) => void): void {
  if (keys.startsWith("/")) {
    search(keys.slice(1));
    return;
  }
  for (const typed of keys) {
    const key = typed.toLowerCase();
    const place = Date.now() - wentAt < goMs ? placeOfKey(key, isAdmin) : undefined;
    wentAt = key === "g" && place === undefined ? Date.now() : 0;
    if (place !== undefined) {
      onGo(place.to);
    } else if (key === "j" || key === "k") {
      step(key === "j" ? 1 : -1);
    } else if (key === "x") {
      mark();
    }
  }
}

/** The screen's search: the one that says so, else the first. */
function search(typed: string): void {
  const fields = ["[data-screen-search]", "[type=search]", "search input:not([type=date])"].flatMap(
    (kind) => Array.from(document.querySelectorAll<HTMLInputElement>(`#main ${kind}`)),
  );
  const field = fields.find((one) => one.checkVisibility() && !one.disabled);
  field?.focus();
  field?.select();
  if (field !== undefined && typed !== "") {
    // The first letters came before the field had the focus. This is the only way that also tells React.
    // oxlint-disable-next-line typescript/no-deprecated -- there is no other way to type into a field
    document.execCommand("insertText", false, typed);
  }
}

const row = "[data-index], [data-row]";
const main = "[data-row-main]";
const other = "a[href], button:not([role=checkbox], :disabled)";
const last = "input:not(:disabled), [role=checkbox]";

/** Where the focus goes in a row: to what opens it, else to its first button. A heading between rows has none. */
function mainOf(one: Element): HTMLElement | null {
  return (
    one.querySelector<HTMLElement>(main) ??
    one.querySelector<HTMLElement>(other) ??
    one.querySelector<HTMLElement>(last)
  );
}

function rowsOf(frame: ParentNode): readonly Element[] {
  return Array.from(frame.querySelectorAll(row)).filter(
    (one) => mainOf(one) !== null && one.checkVisibility(),
  );
}

/** The next row: of the open drawer's record, or of the list that has the focus, else of the screen's first list. */
function step(by: 1 | -1): void {
  const stepper = document.querySelector<HTMLButtonElement>(`button[data-step="${by}"]`);
  if (stepper !== null) {
    stepper.click();
    return;
  }
  const drawer = document.querySelector("[role=dialog]");
  const rows = rowsOf(drawer ?? document.getElementById("main") ?? document);
  const focused = document.activeElement?.closest(row) ?? null;
  const index = focused === null ? -1 : rows.indexOf(focused);
  const next = index === -1 ? firstInSight(rows) : rows[index + by];
  const target = next === undefined ? null : mainOf(next);
  target?.focus({ preventScroll: true });
  // The sticky headings cover the edges.
  target?.scrollIntoView({ block: "nearest" });
}

/** A person who has scrolled goes on from there. */
function firstInSight(rows: readonly Element[]): Element | undefined {
  return rows.find((one) => one.getBoundingClientRect().top >= 0) ?? rows[0];
}

/** Selects the focused row, where rows can be selected. */
function mark(): void {
  const focused = document.activeElement?.closest(row);
  focused?.querySelector<HTMLElement>("[role=checkbox], input[type=checkbox]")?.click();
}
