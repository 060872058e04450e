// Whether a list is drawn as cards: on phones, and wherever its table would be wider than its room, so that no amount is cut.
import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type RefObject,
} from "react";
import { useIsPhone } from "#web/lib/use-media.ts";

/** `frame` contains the list. The table is measured before it is painted, and again when the frame's width changes. */
export function useCards(frame: RefObject<HTMLElement | null>): boolean {
  const isPhone = useIsPhone();
  const [isTight, setTight] = useState(false);
  /** The width of the table when it last was too wide. */
  const needed = useRef(0);
  const look = useEffectEvent(() => {
    const room = frame.current?.clientWidth ?? 0;
    const table = frame.current?.querySelector("table");
    if (table !== null && table !== undefined) {
      needed.current = table.offsetWidth > room + 1 ? table.offsetWidth : 0;
    }
    setTight(room < needed.current);
  });
  useLayoutEffect(() => look());
  useEffect(() => {
    const observer = new ResizeObserver(() => look());
    if (frame.current !== null) {
      observer.observe(frame.current);
    }
    return () => observer.disconnect();
  }, [frame]);
  return isPhone || isTight;
}
