// An action that the address asks a screen for: `/admin?act=mass-input` opens the form, once, and leaves the address without it.
import { useEffect, useEffectEvent } from "react";
import { useParams } from "./search-param.ts";

/** By name. The parameter `code` is a barcode for the form, if there is one. */
export function useArrivalAct(
  acts: Readonly<Record<string, (code: string | undefined) => void>>,
): void {
  const [params, setParams] = useParams();
  const act = params.get("act");
  const run = useEffectEvent((name: string) => {
    acts[name]?.(params.get("code") ?? undefined);
    setParams({ act: undefined, code: undefined });
  });
  useEffect(() => {
    if (act !== null) {
      run(act);
    }
  }, [act]);
}
