// One card of the settings: what is set, the way to change it, and its history next to it.
import { Pencil } from "lucide-react";
import { useId, type ReactNode } from "react";
import type { SettingsChange } from "#features/settings/contract.ts";
import { Button } from "#web/ui/button.tsx";
import { SettingsHistory } from "./settings-history.tsx";
import type { Section } from "./settings-draft.ts";

type SettingsSectionProps = {
  readonly title: string;
  readonly description: string;
  readonly sections: readonly Section[];
  readonly changes: readonly SettingsChange[] | undefined;
  /** "Edit rates"; undefined if nothing can be changed here. */
  readonly editLabel: string | undefined;
  readonly onEdit: () => void;
  readonly children: ReactNode;
};

export function SettingsSection(props: SettingsSectionProps) {
  const { title, description, sections, changes, editLabel, onEdit, children } = props;
  const id = useId();
  return (
    <section aria-labelledby={id} className="card flex flex-col gap-4 p-4 max-sm:p-3">
      <header className="flex flex-wrap items-start justify-between gap-3">
        <div className="flex min-w-0 flex-col gap-1">
          <h2 id={id} className="text-16 font-semibold">
            {title}
          </h2>
          <p className="text-muted">{description}</p>
        </div>
        {editLabel === undefined ? null : (
          <Button icon={Pencil} disabled={changes === undefined} onClick={onEdit}>
            {editLabel}
          </Button>
        )}
      </header>
      <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,22rem)] gap-6 max-lg:grid-cols-1">
        <div className="flex min-w-0 flex-col gap-4">{children}</div>
        <SettingsHistory changes={changes} sections={sections} />
      </div>
    </section>
  );
}
