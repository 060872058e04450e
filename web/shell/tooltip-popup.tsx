// Draws the open tooltip with Base UI, next to its element and inside the window. Mounted means open.
import { Tooltip } from "@base-ui/react/tooltip";

type TooltipPopupProps = {
  readonly owner: HTMLElement;
  readonly text: string;
  readonly onClose: () => void;
};

export function TooltipPopup({ owner, text, onClose }: TooltipPopupProps) {
  return (
    <Tooltip.Root open onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}>
      <Tooltip.Portal>
        <Tooltip.Positioner
          anchor={owner}
          side="bottom"
          sideOffset={6}
          collisionPadding={8}
          className="pointer-events-none z-50 no-print"
        >
          {/* The element's label already says the same, so screen readers skip it. */}
          <Tooltip.Popup
            aria-hidden="true"
            className="max-w-72 rounded-bit bg-text px-2 py-1 text-12 text-bg"
          >
            {text}
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
