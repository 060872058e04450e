// The app's only tooltip: watches which element with `data-tip` is hovered or focused. The popup is loaded with the first tooltip.
import { useEffect, useState } from "react";
import { onDemand } from "#web/ui/on-demand.tsx";

type Tip = { readonly owner: HTMLElement; readonly text: string };

const TooltipPopup = onDemand(
  () => import("./tooltip-popup.tsx").then((file) => file.TooltipPopup),
  {
    // Screen readers already read the element's label.
    ifMissing: "fallback",
  },
);

function tipFor(target: EventTarget | null): Tip | undefined {
  const owner = target instanceof Element ? target.closest<HTMLElement>("[data-tip]") : null;
  const text = owner?.dataset["tip"];
  return owner === null || text === undefined || text === "" ? undefined : { owner, text };
}

export function TooltipLayer() {
  const [tip, setTip] = useState<Tip>();
  useEffect(() => {
    const ended = new AbortController();
    const { signal } = ended;
    function show({ target }: Event): void {
      const next = tipFor(target);
      setTip((before) => (before?.owner === next?.owner ? before : next));
    }
    const hide = (): void => setTip(undefined);
    document.addEventListener(
      "pointerover",
      (event) => event.pointerType === "mouse" && show(event),
      { signal },
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
  return tip === undefined ? null : (
    <TooltipPopup owner={tip.owner} text={tip.text} onClose={() => setTip(undefined)} />
  );
}
