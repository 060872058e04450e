// The open list of a menu. Mounted means open.
import { Menu } from "@base-ui/react/menu";
import { Check } from "lucide-react";
import type { RefObject } from "react";
import { Link } from "react-router-dom";
import { Icon } from "./icon.tsx";
import type { MenuItem } from "./menu.tsx";

type MenuPopupProps = {
  readonly items: readonly MenuItem[];
  readonly anchor: RefObject<HTMLButtonElement | null>;
  readonly onClose: () => void;
};

function MenuLine({ item }: { readonly item: MenuItem }) {
  const className = `flex min-h-(--control) items-center gap-2 rounded-bit px-2 text-14 outline-none select-none data-disabled:text-faint data-highlighted:bg-hover ${item.isDanger === true ? "text-danger" : "text-text"}`;
  const words = (
    <>
      {item.icon === undefined ? null : (
        <Icon of={item.icon} className={item.isDanger === true ? "" : "text-muted"} />
      )}
      <span className="grow">{item.label}</span>
      {item.isCurrent === true ? <Icon of={Check} size={14} label="current" /> : null}
    </>
  );
  if (item.to !== undefined) {
    return (
      <Menu.LinkItem
        closeOnClick
        className={className}
        render={<Link to={item.to} aria-current={item.isCurrent === true ? "page" : undefined} />}
      >
        {words}
      </Menu.LinkItem>
    );
  }
  if (item.href !== undefined) {
    return (
      <Menu.LinkItem
        closeOnClick
        className={className}
        href={item.href}
        target="_blank"
        rel="noreferrer"
      >
        {words}
      </Menu.LinkItem>
    );
  }
  return (
    <Menu.Item
      className={className}
      disabled={item.isDisabled ?? false}
      onClick={() => item.onSelect?.()}
    >
      {words}
    </Menu.Item>
  );
}

export function MenuPopup({ items, anchor, onClose }: MenuPopupProps) {
  return (
    <Menu.Root open onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}>
      <Menu.Portal>
        <Menu.Positioner anchor={anchor} side="bottom" align="end" sideOffset={4} className="z-30">
          <Menu.Popup
            finalFocus={anchor}
            className="max-h-(--available-height) min-w-48 overflow-y-auto rounded-card floating p-1 outline-none motion-safe:animate-[fade_120ms_ease-out]"
          >
            {items.map((item) => (
              <div key={item.label} role="presentation">
                {item.startsGroup === true ? (
                  <Menu.Separator className="my-1 border-t border-border" />
                ) : null}
                <MenuLine item={item} />
              </div>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
