// An entry of a timeline: its icon, with a line down to the next entry, and its text.
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";

type TimelineEntryProps = { readonly icon: LucideIcon; readonly children: ReactNode };

export function TimelineEntry({ icon, children }: TimelineEntryProps) {
  return (
    <li className="group relative flex gap-3 pb-5 last:pb-0">
      <span
        aria-hidden="true"
        className="absolute top-7 bottom-0 left-3.5 w-px bg-border group-last:hidden"
      />
      <span className="relative flex size-7 shrink-0 items-center justify-center rounded-pill bg-fill text-muted">
        <Icon of={icon} size={14} />
      </span>
      <div className="flex min-w-0 grow flex-col pt-1">{children}</div>
    </li>
  );
}
