// A new tab whose address is only known after a call: a browser allows the tab only while the click counts.

/** Null if the browser blocks it. The page that opens there learns nothing about this one. */
export function openEmptyTab(): Window | null {
  const tab = window.open("", "_blank");
  if (tab !== null) {
    tab.opener = null;
  }
  return tab;
}

/** A link in the empty page, because only a link can keep this page's address from the other one. */
export function leadTab(tab: Window, address: string): void {
  if (!tab.closed) {
    const link = tab.document.createElement("a");
    link.href = address;
    link.referrerPolicy = "no-referrer";
    tab.document.body.append(link);
    link.click();
  }
}
