// A field's text on a screen that stays open: what is saved, also by another tab, until somebody types here.
import { useState } from "react";

/** The text, and its setter: undefined goes back to what is saved. What was typed is over once it is what is saved. */
export function useTypedOver(saved: string): readonly [string, (text: string | undefined) => void] {
  const [typed, setTyped] = useState<string>();
  if (typed?.trim() === saved) {
    setTyped(undefined);
  }
  return [typed ?? saved, setTyped];
}
