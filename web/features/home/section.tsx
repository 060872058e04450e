// The parts that the home page's sections are made of.
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Icon } from "#web/ui/icon.tsx";

type SectionProps = {
  readonly id: string;
  readonly title: string;
  readonly className: string;
  /** Every other section, so that one sees where each begins. */
  readonly isTinted?: boolean;
  readonly children: ReactNode;
};

export function Section({ id, title, className, isTinted = false, children }: SectionProps) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className={`border-t border-border py-16 max-sm:py-10 ${isTinted ? "bg-fill" : ""}`}
    >
      <div className={`flex flex-col gap-8 max-sm:gap-6 ${className}`}>
        <h2 id={`${id}-title`} className="text-32 font-semibold max-sm:text-24">
          {title}
        </h2>
        {children}
      </div>
    </section>
  );
}

type CardProps = {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly children: ReactNode;
};

export function Card({ icon, title, children }: CardProps) {
  return (
    <div className="card flex flex-col gap-2 p-6 max-sm:p-4">
      <Icon of={icon} size={24} className="text-accent" />
      <h3 className="text-16 font-semibold">{title}</h3>
      <p className="text-16 text-muted">{children}</p>
    </div>
  );
}

export function Point({
  icon,
  children,
}: {
  readonly icon: LucideIcon;
  readonly children: ReactNode;
}) {
  return (
    <p className="flex gap-3 text-16 text-muted">
      <Icon of={icon} size={20} className="mt-0.5 text-accent" />
      <span>{children}</span>
    </p>
  );
}

type StepProps = {
  readonly number: number;
  readonly title: string;
  readonly children: ReactNode;
};

export function Step({ number, title, children }: StepProps) {
  return (
    <li className="flex flex-col gap-2">
      <span
        aria-hidden="true"
        className="flex size-8 items-center justify-center rounded-pill bg-accent font-semibold text-on-accent tabular-nums"
      >
        {number}
      </span>
      <h3 className="text-16 font-semibold">{title}</h3>
      <p className="text-16 text-muted">{children}</p>
    </li>
  );
}

type TermsProps = {
  readonly title: string;
  readonly icon: LucideIcon;
  readonly color: string;
  readonly terms: readonly string[];
};

export function Terms({ title, icon, color, terms }: TermsProps) {
  return (
    <div className="card p-6 max-sm:p-4">
      <h3 className="text-16 font-semibold">{title}</h3>
      <ul className="mt-3 flex flex-col gap-3">
        {terms.map((term) => (
          <li key={term} className="flex gap-3 text-16">
            <Icon of={icon} size={20} className={`mt-0.5 ${color}`} />
            {term}
          </li>
        ))}
      </ul>
    </div>
  );
}
