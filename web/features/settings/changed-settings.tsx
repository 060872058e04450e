// Shows what another admin changed while a form was open. Nothing was saved; saving again is intended.
import { TriangleAlert } from "lucide-react";
import { useEffect, useRef } from "react";
import type { SettingsChange } from "#features/settings/contract.ts";
import { withIsolatedNames } from "#web/lib/isolated.ts";
import { Icon } from "#web/ui/icon.tsx";
import { ChangedValue } from "./changed-value.tsx";

type ChangedSettingsProps = { readonly news: readonly SettingsChange[] };

/** It takes the focus when it appears. */
export function ChangedSettings({ news }: ChangedSettingsProps) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => ref.current?.focus(), []);
  return (
    <div
      ref={ref}
      tabIndex={-1}
      role="alert"
      className="flex flex-col gap-2 rounded-card bg-pending-tint p-4"
    >
      <p className="flex items-start gap-2 font-medium text-pending">
        <Icon of={TriangleAlert} className="mt-0.5" />
        Somebody else changed these settings while you were editing. Nothing was saved: check the
        fields below, then save.
      </p>
      <ul className="flex flex-col gap-1 text-12">
        {news.map(({ position, actor, lines }) =>
          lines.map((line) => (
            <li key={`${position} ${line.what}`}>
              {withIsolatedNames(`${actor.displayName}: `)}
              <ChangedValue change={line} />
            </li>
          )),
        )}
      </ul>
    </div>
  );
}
