// One value that changed, from what to what.
import { ArrowRight } from "lucide-react";
import { withIsolatedNames } from "#web/lib/isolated.ts";
import { Icon } from "#web/ui/icon.tsx";
import type { ChangedValue as Change } from "./settings-draft.ts";

export function ChangedValue({ change: { what, before, after } }: { readonly change: Change }) {
  return (
    <span className="wrap-anywhere">
      <span className="font-medium">{what}:</span>{" "}
      <span className="whitespace-pre-line text-muted">{withIsolatedNames(before ?? "none")}</span>{" "}
      <Icon of={ArrowRight} size={14} className="inline align-[-0.15em] text-faint" />
      <span className="sr-only">to</span>{" "}
      <span className="whitespace-pre-line">{withIsolatedNames(after ?? "none")}</span>
    </span>
  );
}
