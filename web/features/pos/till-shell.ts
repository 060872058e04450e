// Makes this browser a till: the app opens without the server, and the browser keeps its storage when space is short.

/** Runs once per visit. A browser that does not support it still sells while the page is open. */
export async function prepareTill(): Promise<void> {
  try {
    await navigator.storage?.persist?.();
    if (import.meta.env.PROD && "serviceWorker" in navigator) {
      await navigator.serviceWorker.register("/sw.js");
    }
  } catch (error) {
    console.warn("This till cannot be opened without the server", error);
  }
}
