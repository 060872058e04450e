// One sentence about an error in a form or dialog, announced to screen readers as soon as it appears.
import { OctagonAlert } from "lucide-react";
import { withIsolatedNames } from "#web/lib/isolated.ts";
import { Icon } from "./icon.tsx";

type ErrorLineProps = { readonly children: string | undefined };

export function ErrorLine({ children }: ErrorLineProps) {
  return (
    <div role="alert" aria-live="assertive" className="empty:hidden">
      {children === undefined ? null : (
        <p className="flex items-start gap-2 rounded-control bg-danger-tint px-3 py-2 text-14 text-danger">
          <Icon of={OctagonAlert} className="mt-0.5" />
          <span className="min-w-0 wrap-anywhere">{withIsolatedNames(children)}</span>
        </p>
      )}
    </div>
  );
}
