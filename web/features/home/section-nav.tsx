// The list of the home page's sections, which stays in sight. It marks the section that is being read.
import { useEffect, useRef, useState } from "react";

export type SectionLink = { readonly id: string; readonly title: string };

type SectionNavProps = {
  readonly sections: readonly SectionLink[];
  readonly className: string;
};

/** The section at the upper third of the window, the last one at the page's end; undefined above the first. */
function useReadSection(sections: readonly SectionLink[]): string | undefined {
  const [read, setRead] = useState<string>();
  const [isAtEnd, setAtEnd] = useState(false);
  useEffect(() => {
    const seen = new Set<string>();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) {
            seen.add(target.id);
          } else {
            seen.delete(target.id);
          }
        }
        setRead(sections.findLast(({ id }) => seen.has(id))?.id);
      },
      { rootMargin: "-33% 0% -66%" },
    );
    for (const { id } of sections) {
      const section = document.getElementById(id);
      if (section !== null) {
        observer.observe(section);
      }
    }
    // The last sections may be too low to ever reach that line.
    const atEnd = new IntersectionObserver(
      ([footer]) => setAtEnd(footer?.isIntersecting === true),
      { threshold: 0.9 },
    );
    const footer = document.querySelector("footer");
    if (footer !== null) {
      atEnd.observe(footer);
    }
    return () => {
      observer.disconnect();
      atEnd.disconnect();
    };
  }, [sections]);
  return isAtEnd ? sections.at(-1)?.id : read;
}

export function SectionNav({ sections, className }: SectionNavProps) {
  const read = useReadSection(sections);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    // On a phone the list is wider than the window.
    const link = list.current?.querySelector<HTMLElement>(`[href="#${read ?? ""}"]`);
    if (link !== null && link !== undefined && list.current !== null) {
      const { offsetLeft, offsetWidth } = link;
      list.current.scrollTo({ left: offsetLeft + offsetWidth / 2 - list.current.clientWidth / 2 });
    }
  }, [read]);
  return (
    <nav aria-label="Sections" className={className}>
      <ul
        ref={list}
        className="relative -mx-3 flex overflow-x-auto overscroll-x-contain [scrollbar-width:none]"
      >
        {sections.map(({ id, title }) => (
          <li key={id} className="shrink-0">
            <a
              href={`#${id}`}
              aria-current={read === id ? "true" : undefined}
              className="flex h-11 items-center px-3 text-14 font-medium whitespace-nowrap text-muted -outline-offset-2 transition-colors duration-120 hover:text-text aria-[current]:text-accent aria-[current]:shadow-[inset_0_-2px_var(--color-accent)]"
            >
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
