// Sets the title of the browser's tab and history entry: the screen and the store.
import { useEffect } from "react";
import { useStoreName } from "./store-name.ts";

export function useTitle(title: string): void {
  const storeName = useStoreName();
  useEffect(() => {
    document.title = `${title} · ${storeName}`;
  }, [title, storeName]);
}
