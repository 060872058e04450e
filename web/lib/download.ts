// Saves an answer of the API as a file. Exports need the token, so a plain link cannot fetch them.
import { open } from "./http.ts";

/** Fetches `path` below /api and saves it as `fileName`. Throws ApiError. */
export async function download(path: string, fileName: string): Promise<void> {
  const response = await open(path, new AbortController().signal, "text/csv, */*");
  saveFile(await response.blob(), nameOfFile(fileName, response.headers));
}

/** The name of a file that lacks rows or the newest entries says so, wherever the file ends up. */
export function nameOfFile(fileName: string, headers: Headers): string {
  const isWhole = !headers.has("Ledger-Held") && !headers.has("Ledger-Stale");
  return isWhole ? fileName : fileName.replace(/(?=\.[a-z]+$)/u, "-incomplete");
}

/** Saves data that the app made itself as a file. */
export function saveFile(content: Blob, fileName: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName;
  link.click();
  // Some browsers read the blob only after the click handler has returned.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
