// Picks one record from suggestions for the typed text. Typed text alone is not a choice: typing clears the pick.
import { Combobox as BaseCombobox } from "@base-ui/react/combobox";
import { useState } from "react";
import useSWR from "swr";
import { asApiError } from "#web/lib/api-error.ts";
import { useDebounced } from "#web/lib/debounced.ts";
import type { ControlProps } from "#web/ui/field.tsx";
import { TextButton } from "#web/ui/text-button.tsx";

const debounceMs = 300;

type ComboboxProps<Item> = ControlProps & {
  readonly value: Item | undefined;
  /** Called with undefined as soon as something is typed after a pick. */
  readonly onValue: (value: Item | undefined) => void;
  /** The text in the field, so that a form can distinguish "nothing typed" from "typed, but nothing picked". */
  readonly onTyped?: (text: string) => void;
  /** The cache key of the suggestions. */
  readonly cacheKey: string;
  /** A search that fails is called that, and can be made again. */
  readonly search: (term: string) => Promise<readonly Item[]>;
  readonly keyOf: (item: Item) => string;
  readonly labelOf: (item: Item) => string;
  /** A second, muted line. */
  readonly hintOf?: (item: Item) => string | undefined;
  readonly placeholder?: string;
  readonly disabled?: boolean;
  readonly autoFocus?: boolean;
};

type Suggested<Item> = {
  readonly items: readonly Item[];
  /** Shown in place of suggestions if there are none. */
  readonly status: string | undefined;
  /** Only after a search that failed. */
  readonly onRetry: (() => void) | undefined;
};

/** What there is to pick from for a text; without one nothing is searched. */
function useSuggestions<Item>(
  typed: string,
  cacheKey: string,
  search: (term: string) => Promise<readonly Item[]>,
): Suggested<Item> {
  const term = useDebounced(typed, debounceMs);
  const { data, error, isLoading, isValidating, mutate } = useSWR<readonly Item[], unknown>(
    typed === "" || term === "" ? null : ["suggestions", cacheKey, term],
    () => search(term),
    { keepPreviousData: true, revalidateOnFocus: false, shouldRetryOnError: false },
  );
  const isWaiting = isLoading || typed !== term || (isValidating && error !== undefined);
  if (typed === "") {
    return { items: [], status: undefined, onRetry: undefined };
  }
  if (error !== undefined && !isWaiting) {
    // The suggestions for the text before would be no answer to this one.
    const status = `The search failed: ${asApiError(error).message}`;
    return { items: [], status, onRetry: () => void mutate() };
  }
  const items = term === "" || data === undefined ? [] : data;
  const status = isWaiting ? "Searching…" : `No matches for “${term}”`;
  return { items, status: items.length > 0 ? undefined : status, onRetry: undefined };
}

type PickProps<Item> = Pick<ComboboxProps<Item>, "value" | "onValue" | "onTyped" | "labelOf">;

/** The text in the field, and who it stands for. */
function usePick<Item>({ value, onValue, onTyped, labelOf }: PickProps<Item>) {
  const [typed, setTyped] = useState(value === undefined ? "" : labelOf(value));
  // Whoever stands in the field again was picked before: a scan's letters cleared the pick, and were taken out again.
  const [lastPick, setLastPick] = useState(value);
  return {
    typed,
    pick: (picked: Item) => {
      onValue(picked);
      setLastPick(picked);
      setTyped(labelOf(picked));
    },
    type: (text: string) => {
      setTyped(text);
      onTyped?.(text);
      const again = lastPick !== undefined && text === labelOf(lastPick) ? lastPick : undefined;
      if (value !== again) {
        onValue(again);
      }
    },
  };
}

export function Combobox<Item>({
  value,
  onValue,
  onTyped,
  cacheKey,
  search,
  keyOf,
  labelOf,
  hintOf,
  placeholder,
  disabled = false,
  autoFocus = false,
  ...control
}: ComboboxProps<Item>) {
  const { typed, pick, type } = usePick({
    value,
    onValue,
    labelOf,
    ...(onTyped === undefined ? {} : { onTyped }),
  });
  const [isOpen, setOpen] = useState(false);
  const { items, status, onRetry } = useSuggestions(
    value === undefined ? typed.trim() : "",
    cacheKey,
    search,
  );

  return (
    <BaseCombobox.Root
      items={items}
      filter={null}
      autoHighlight
      disabled={disabled}
      value={value ?? null}
      onValueChange={(picked: Item | null, details) => {
        if (picked === null) {
          // Without an open list, Escape would clear the pick and stop there. Here it has to reach the dialog.
          details.allowPropagation();
        } else {
          pick(picked);
        }
      }}
      inputValue={typed}
      onInputValueChange={(text, { reason }) => {
        // Closing the list without a pick would clear the field ("input-clear"). The typed text has to stay.
        if (reason === "input-change" || reason === "clear-press") {
          type(text);
        }
      }}
      open={isOpen && value === undefined && typed.trim() !== ""}
      onOpenChange={setOpen}
      itemToStringLabel={labelOf}
      isItemEqualToValue={(one, other) => keyOf(one) === keyOf(other)}
    >
      <BaseCombobox.Input
        {...control}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- only if a dialog opens for this field
        autoFocus={autoFocus}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        // The server searches for no more.
        maxLength={100}
        onKeyDown={(event) => {
          // As Enter picks the first suggestion, it presses the only button there is instead of suggestions.
          if (event.key === "Enter" && onRetry !== undefined && isOpen) {
            event.preventDefault();
            // It would close the list, and so hide the answer.
            event.preventBaseUIHandler();
            onRetry();
          }
        }}
        // It asks for a person, and a code names none.
        data-takes-no-scans
        className="control w-full"
      />
      <Suggestions
        keyOf={keyOf}
        labelOf={labelOf}
        hintOf={hintOf}
        status={status}
        onRetry={onRetry}
      />
    </BaseCombobox.Root>
  );
}

type SuggestionsProps<Item> = Pick<ComboboxProps<Item>, "keyOf" | "labelOf"> &
  Omit<Suggested<Item>, "items"> & { readonly hintOf: ComboboxProps<Item>["hintOf"] | undefined };

function Suggestions<Item>({ keyOf, labelOf, hintOf, status, onRetry }: SuggestionsProps<Item>) {
  return (
    <BaseCombobox.Portal>
      <BaseCombobox.Positioner sideOffset={4} className="z-30">
        <BaseCombobox.Popup className="max-h-72 w-(--anchor-width) max-w-(--available-width) overflow-y-auto rounded-card floating p-1 outline-none motion-safe:animate-[fade_120ms_ease-out]">
          <BaseCombobox.Status className="px-2 py-1.5 text-12 text-muted empty:hidden">
            {status}
          </BaseCombobox.Status>
          {onRetry === undefined ? null : (
            <span className="block px-2 pb-1.5 text-12">
              <TextButton onClick={onRetry}>Retry</TextButton>
            </span>
          )}
          <BaseCombobox.List>
            {(item: Item) => (
              <BaseCombobox.Item
                key={keyOf(item)}
                value={item}
                className="flex min-h-(--control) flex-col justify-center rounded-bit px-2 py-1 outline-none select-none data-highlighted:bg-hover"
              >
                <span className="truncate">{labelOf(item)}</span>
                <span className="truncate text-12 text-muted empty:hidden">{hintOf?.(item)}</span>
              </BaseCombobox.Item>
            )}
          </BaseCombobox.List>
        </BaseCombobox.Popup>
      </BaseCombobox.Positioner>
    </BaseCombobox.Portal>
  );
}
