// Saves an answer of the API as a file. Exports need the token, so a plain link cannot fetch them.
import { open } from "./http.ts";

/** Fetches `path` below /api and saves it as `fileName`. Throws ApiError. */
export async function download(path: string, fileName: string): Promise<void> {
  const response = await open(path, new AbortController().signal, "text/csv, */*");
  // The name of a file with missing rows says so, wherever the file ends up.
  const isWhole = response.headers.get("Ledger-Held") === null;
  saveFile(await response.blob(), isWhole ? fileName : fileName.replace(".", "-incomplete."));
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
