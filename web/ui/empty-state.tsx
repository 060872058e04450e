// An empty list: the reason in one sentence, and what to do next.
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";

type EmptyStateProps = {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly children?: ReactNode;
  /** One button: the next step, or "Clear" if a filter leaves nothing. */
  readonly action?: ReactNode;
};

export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-2 px-4 py-12 text-center">
      <Icon of={icon} size={24} className="text-faint" />
      <p className="font-medium">{title}</p>
      {children === undefined ? null : <p className="max-w-96 text-muted">{children}</p>}
      {action === undefined ? null : <div className="mt-2">{action}</div>}
    </div>
  );
}
