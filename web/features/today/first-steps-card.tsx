// The first steps of a new store on Today: each leads to its screen until it is done.
import { CircleCheck } from "lucide-react";
import { useId } from "react";
import type { FirstSteps } from "#features/today/contract.ts";
import { Icon } from "#web/ui/icon.tsx";
import { firstStepsOf } from "./first-steps.ts";
import { Heading, line, LinkLine } from "./today-list.tsx";

export function FirstStepsCard({ taken }: { readonly taken: FirstSteps }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="card flex flex-col overflow-hidden">
      <Heading id={id} label="First steps" />
      <ol className="divide-y divide-border">
        {firstStepsOf(taken).map(({ label, detail, icon, to, isDone }) => (
          <li key={label}>
            {isDone ? (
              <p className={`${line} text-muted`}>
                <Icon of={CircleCheck} size={20} className="text-credit" />
                <span className="grow">{label}</span>
                <span className="text-12">Done</span>
              </p>
            ) : (
              <LinkLine label={label} detail={detail} icon={icon} to={to} />
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
