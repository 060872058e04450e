// Saves an answer of the API as a file: exports need the token, so a plain link cannot fetch them.
import { open } from "./http.ts";

/** Fetches `path` below /api and hands it to the browser as `fileName`. Throws ApiError. */
export async function download(path: string, fileName: string): Promise<void> {
  const response = await open(path, new AbortController().signal, "text/csv, */*");
  // A file of which rows are missing says so in its name, wherever it ends up.
  const isWhole = response.headers.get("Ledger-Held") === null;
  saveFile(await response.blob(), isWhole ? fileName : fileName.replace(".", "-incomplete."));
}

/** Hands what the app has made itself to the browser as a file. */
export function saveFile(content: Blob, fileName: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName;
  link.click();
  // Some browsers read the blob only after the click has been handled.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
