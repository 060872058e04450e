// The one tooltip of the app: shows the `data-tip` of whatever is hovered or focused, above everything, cut off by nothing.
import { useEffect, useRef } from "react";

const gap = 6;
const margin = 8;

function tipped(target: EventTarget | null): HTMLElement | undefined {
  const found = target instanceof Element ? target.closest("[data-tip]") : null;
  return found instanceof HTMLElement ? found : undefined;
}

/** Below its owner, or above where there is no room; never outside the window. */
function place(tip: HTMLElement, owner: HTMLElement): void {
  const box = owner.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = tip;
  const below = box.bottom + gap;
  const top = below + height + margin > innerHeight ? box.top - gap - height : below;
  const middle = box.left + box.width / 2 - width / 2;
  tip.style.top = `${top}px`;
  tip.style.left = `${Math.max(margin, Math.min(middle, innerWidth - width - margin))}px`;
}

export function TooltipLayer() {
  const ref = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const tip = ref.current;
    if (tip === null || !("showPopover" in tip)) {
      return undefined;
    }
    const ended = new AbortController();
    function show(event: Event): void {
      const owner = tipped(event.target);
      const text = owner?.dataset["tip"];
      if (tip === null || owner === undefined || text === undefined || text === "") {
        tip?.hidePopover();
        return;
      }
      tip.textContent = text;
      tip.showPopover();
      place(tip, owner);
    }
    function hide(): void {
      tip?.hidePopover();
    }
    const { signal } = ended;
    document.addEventListener(
      "pointerover",
      (event) => event.pointerType === "mouse" && show(event),
      {
        signal,
      },
    );
    document.addEventListener(
      "focusin",
      (event) =>
        event.target instanceof Element && event.target.matches(":focus-visible") && show(event),
      { signal },
    );
    document.addEventListener("focusout", hide, { signal });
    document.addEventListener("pointerdown", hide, { signal });
    document.addEventListener("keydown", (event) => event.key === "Escape" && hide(), { signal });
    document.addEventListener("scroll", hide, { signal, capture: true, passive: true });
    return () => ended.abort();
  }, []);

  // The owner's aria-label already says the same, so the tooltip is not spoken again.
  return (
    <div
      ref={ref}
      popover="manual"
      aria-hidden="true"
      className="pointer-events-none fixed inset-auto m-0 max-w-72 rounded-bit bg-text px-2 py-1 text-12 text-bg no-print"
    />
  );
}
