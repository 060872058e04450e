// Takes all filters of a list off. On a phone it is there only when there is something to clear.
import { Button } from "./button.tsx";

type ClearButtonProps = { readonly canClear: boolean; readonly onClear: () => void };

export function ClearButton({ canClear, onClear }: ClearButtonProps) {
  return (
    <Button
      onClick={onClear}
      disabled={!canClear}
      className={`max-md:col-span-2 ${canClear ? "" : "max-md:hidden"}`}
    >
      Clear
    </Button>
  );
}
