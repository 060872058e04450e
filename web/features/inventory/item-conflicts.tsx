// What somebody else changed while this form was open, field by field, with both values to choose from.
import { TriangleAlert } from "lucide-react";
import { useEffect, useRef } from "react";
import { ChoiceGroup } from "#web/ui/choice-group.tsx";
import { Icon } from "#web/ui/icon.tsx";
import {
  draftLabels,
  type Conflict,
  type DraftField,
  type ItemDraft,
  type Side,
} from "./item-draft.ts";

type ItemConflictsProps = {
  readonly conflicts: readonly Conflict[];
  readonly draft: ItemDraft;
  readonly onTake: (field: DraftField, value: string) => void;
};

const longest = 28;

function shown(value: string): string {
  const text = value.trim();
  if (text === "") {
    return "empty";
  }
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** Whose value is in the form now; undefined after the admin typed a third one. */
function sideOf({ field, theirs, yours }: Conflict, draft: ItemDraft): Side | "" {
  return draft[field] === theirs ? "theirs" : draft[field] === yours ? "yours" : "";
}

/** Remounted for each answer, it takes the focus, because it must be read first. */
export function ItemConflicts({ conflicts, draft, onTake }: ItemConflictsProps) {
  const ref = useRef<HTMLElement>(null);
  useEffect(() => ref.current?.focus(), []);
  return (
    <section
      ref={ref}
      tabIndex={-1}
      role="alert"
      aria-label="Changed since you opened this"
      className="flex flex-col gap-3 rounded-card bg-pending-tint p-4"
    >
      <p className="flex items-start gap-2 font-medium text-pending">
        <Icon of={TriangleAlert} className="mt-0.5" />
        <span>
          This item changed since you opened it. Nothing was saved. Check what changed, then save.
        </span>
      </p>
      {conflicts.map((conflict) => (
        <ChoiceGroup
          key={conflict.field}
          label={`${draftLabels[conflict.field]}, was ${shown(conflict.before)}`}
          value={sideOf(conflict, draft)}
          onValue={(side) =>
            onTake(conflict.field, side === "theirs" ? conflict.theirs : conflict.yours)
          }
          choices={[
            { value: "theirs", label: `Use theirs: ${shown(conflict.theirs)}` },
            { value: "yours", label: `Keep yours: ${shown(conflict.yours)}` },
          ]}
        />
      ))}
    </section>
  );
}
