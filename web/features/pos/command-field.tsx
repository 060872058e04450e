// The till's only field. It takes scans, text, prices, quantities and cash, and always has the focus.
import { useEffect } from "react";
import { Icon } from "#web/ui/icon.tsx";
import { CameraScan } from "./camera-scan.tsx";
import type { Cart } from "./cart.ts";
import { commandWords } from "./command-words.ts";
import { followField, type Mode } from "./till-state.ts";
import { emptyField, useCommandKeys, type CommandKeys } from "./use-command-keys.ts";
import { isTouch } from "./use-scan-focus.ts";

type CommandFieldProps = CommandKeys & {
  readonly mode: Mode;
  readonly cart: Cart;
  readonly listId: string;
};

export function CommandField({ mode, cart, listId, ...keys }: CommandFieldProps) {
  const { field, onTyped, choices, highlighted } = keys;
  const onKeyDown = useCommandKeys(keys);
  const { label, placeholder, icon } = commandWords(mode, cart);
  const isAmount = mode.kind === "price" || mode.kind === "pay";
  const hasChoices = choices.length > 0;
  useEffect(
    () =>
      followField({
        text: () => field.current?.value ?? "",
        clear: () => {
          if (emptyField(field.current) !== "") {
            onTyped("");
          }
        },
      }),
    [field, onTyped],
  );
  useEffect(() => {
    if (document.activeElement?.closest('[role="dialog"]') !== null) {
      // While the camera is open it shows the message. The field asks again after it closes.
      return;
    }
    if (mode.kind !== "scan" || !isTouch()) {
      field.current?.focus({ preventScroll: true });
    } else {
      field.current?.blur();
    }
  }, [mode, field]);

  return (
    <div className="flex w-full items-center gap-2">
      <div className="relative flex min-w-0 grow items-center">
        <Icon
          of={icon}
          size={20}
          className={`pointer-events-none absolute start-3 ${mode.kind === "scan" ? "text-faint" : "text-accent"}`}
        />
        {isAmount ? (
          <span aria-hidden="true" className="pointer-events-none absolute start-11 text-muted">
            $
          </span>
        ) : null}
        <input
          ref={field}
          type="text"
          role="combobox"
          aria-label={label}
          aria-autocomplete="list"
          aria-expanded={hasChoices}
          aria-controls={hasChoices ? listId : undefined}
          aria-activedescendant={
            hasChoices && highlighted >= 0 ? `${listId}-${highlighted}` : undefined
          }
          placeholder={placeholder}
          inputMode={isAmount ? "decimal" : mode.kind === "quantity" ? "numeric" : "search"}
          enterKeyHint={mode.kind === "pay" ? "done" : "enter"}
          autoComplete="off"
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          maxLength={200}
          data-takes-scans
          onInput={(event) => onTyped(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          className={`peer control h-12 w-full text-16 ${isAmount ? "ps-15" : "ps-11"} ${mode.kind === "scan" ? "" : "border-accent text-ellipsis sm:pe-[45%]"}`}
        />
        {mode.kind === "scan" ? null : (
          <span
            aria-hidden="true"
            className="pointer-events-none absolute end-3 max-w-[42%] max-sm:max-w-[55%] truncate text-12 font-medium text-accent peer-placeholder-shown:max-sm:hidden"
          >
            {label}
          </span>
        )}
      </div>
      {/* On touch screens the camera button is next to Pay. */}
      <CameraScan className="touch:hidden" />
    </div>
  );
}
