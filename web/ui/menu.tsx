// A button that opens a list of actions or links. The list itself is loaded when it is about to be opened.
import { Ellipsis, type LucideIcon } from "lucide-react";
import { useRef, useState } from "react";
import { withIsolatedNames } from "#web/lib/isolated.ts";
import { buttonClass, type ButtonVariant } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { onDemand } from "./on-demand.tsx";

export type MenuItem = {
  readonly label: string;
  readonly icon?: LucideIcon;
  /** Links to a screen of the app. */
  readonly to?: string;
  /** Links to another site, in a new tab. */
  readonly href?: string;
  readonly onSelect?: () => void;
  readonly isDanger?: boolean;
  readonly isDisabled?: boolean;
  /** True for the current screen. */
  readonly isCurrent?: boolean;
  /** Draws a line above, where another group starts. */
  readonly startsGroup?: boolean;
};

type MenuProps = {
  /** The button's text, or its label for screen readers if it shows only an icon. */
  readonly label: string;
  readonly icon?: LucideIcon;
  readonly showsLabel?: boolean;
  readonly items: readonly MenuItem[];
  /** Makes it look like a button of this kind. */
  readonly variant?: ButtonVariant;
  readonly className?: string;
};

const MenuPopup = onDemand(() => import("./menu-popup.tsx").then((file) => file.MenuPopup));

export function Menu({
  label: plainLabel,
  icon = Ellipsis,
  showsLabel = false,
  items,
  variant,
  className = "",
}: MenuProps) {
  const label = withIsolatedNames(plainLabel);
  const [isOpen, setOpen] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button
        ref={trigger}
        type="button"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={showsLabel ? undefined : label}
        data-tip={showsLabel || isOpen ? undefined : label}
        onPointerEnter={MenuPopup.preload}
        onFocus={MenuPopup.preload}
        onClick={() => setOpen(true)}
        className={`${variant === undefined ? `inline-flex h-(--control) min-w-(--control) items-center justify-center gap-2 rounded-control text-muted transition-colors duration-120 hover:bg-hover hover:text-text ${showsLabel ? "px-2" : ""}` : buttonClass(variant)} ${className}`}
      >
        <Icon of={icon} />
        {showsLabel ? <span className="truncate">{label}</span> : null}
      </button>
      {isOpen ? <MenuPopup items={items} anchor={trigger} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
