// One card of the operations screen: a heading that the tiles link to, buttons, and the content.
import { useId, type ReactNode } from "react";

type SectionProps = {
  readonly id: string;
  readonly title: string;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
};

export function Section({ id, title, description, actions, children }: SectionProps) {
  const heading = useId();
  return (
    <section
      id={id}
      aria-labelledby={heading}
      // Most sections are empty while all is well, so an empty list is low here.
      className="card flex min-w-0 scroll-mt-4 flex-col gap-4 p-4 max-sm:p-3 [&_.py-12]:py-5"
    >
      <header className="flex flex-wrap items-start justify-between gap-3">
        <div className="flex min-w-0 flex-col gap-1">
          <h2 id={heading} className="text-16 font-semibold">
            {title}
          </h2>
          {description === undefined ? null : <p className="text-muted">{description}</p>}
        </div>
        {actions}
      </header>
      {children}
    </section>
  );
}
