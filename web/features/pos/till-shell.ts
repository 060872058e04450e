// Makes this browser a till: the app opens without the server, and its storage is kept when space runs short.

/** Asks once a visit; a browser that cannot or will not do it still sells while the page is open. */
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
