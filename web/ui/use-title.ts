// Sets the title of the browser's tab and history entry.
import { useEffect } from "react";

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Consignment Ledger`;
  }, [title]);
}
