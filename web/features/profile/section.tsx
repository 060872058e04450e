// One card of the profile: a heading and its content.
import { useId, type ReactNode } from "react";

type SectionProps = {
  readonly title: string;
  readonly description?: ReactNode;
  readonly children: ReactNode;
};

export function Section({ title, description, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="card flex flex-col gap-4 p-4 max-sm:p-3">
      <div className="flex flex-col gap-1">
        <h2 id={id} className="text-16 font-semibold">
          {title}
        </h2>
        {description === undefined ? null : <p className="text-muted">{description}</p>}
      </div>
      {children}
    </section>
  );
}
