// The admin's navigation on a desktop, in groups on the left. It collapses to icons and remembers that.
import { PanelLeftClose, PanelLeftOpen } from "lucide-react";
import { useId } from "react";
import { Link } from "react-router-dom";
import { Icon } from "#web/ui/icon.tsx";
import { isWithin, type PlaceGroup } from "./place.ts";
import { adminGroups } from "./places.ts";
import { sidebarClass, useSidebar } from "./sidebar-room.tsx";

type SidebarProps = { readonly currentPath: string };

const line =
  "flex h-8 items-center gap-3 rounded-control px-2.5 font-medium text-muted transition-colors duration-120 -outline-offset-2 hover:bg-hover hover:text-text aria-[current=page]:bg-fill aria-[current=page]:text-text touch:h-11";

function Group({
  group: { label, places },
  currentPath,
  isOpen,
}: {
  readonly group: PlaceGroup;
  readonly currentPath: string;
  readonly isOpen: boolean;
}) {
  const id = useId();
  return (
    <li className={isOpen ? "" : "border-border not-first:mt-2 not-first:border-t not-first:pt-2"}>
      <p id={id} className={isOpen ? "px-2.5 pt-2 text-12 font-medium text-faint" : "sr-only"}>
        {label}
      </p>
      <ul aria-labelledby={id} className="flex flex-col gap-0.5">
        {places.map((place) => (
          <li key={place.to}>
            <Link
              to={place.to}
              aria-current={isWithin(place, currentPath) ? "page" : undefined}
              data-tip={isOpen ? undefined : place.label}
              className={`relative ${line} ${isOpen ? "" : "justify-center"}`}
            >
              <Icon of={place.icon} size={20} />
              <span className={isOpen ? "grow truncate" : "sr-only"}>{place.label}</span>
              {place.Badge === undefined ? null : (
                <span className={isOpen ? "" : "absolute -end-0.5 -top-1"}>
                  <place.Badge />
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </li>
  );
}

export function Sidebar({ currentPath }: SidebarProps) {
  const { mayOpen, isOpen, setOpen } = useSidebar();
  const act = isOpen ? "Collapse navigation" : "Expand navigation";
  return (
    <nav aria-label="Main" className={sidebarClass(isOpen)}>
      <ul className="grow">
        {adminGroups.map((group) => (
          <Group key={group.label} group={group} currentPath={currentPath} isOpen={isOpen} />
        ))}
      </ul>
      {mayOpen ? (
        <button
          type="button"
          aria-expanded={isOpen}
          aria-label={act}
          data-tip={isOpen ? undefined : act}
          onClick={() => setOpen(!isOpen)}
          className={`sticky bottom-0 mt-2 shrink-0 bg-surface ${line} ${isOpen ? "" : "justify-center"}`}
        >
          <Icon of={isOpen ? PanelLeftClose : PanelLeftOpen} size={20} />
          {isOpen ? <span>Collapse navigation</span> : null}
        </button>
      ) : null}
    </nav>
  );
}
