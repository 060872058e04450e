// Hands text to the browser as a file to keep.

export function saveText(fileName: string, text: string): void {
  // Spreadsheets take a file without the mark for the old Western code page.
  const url = URL.createObjectURL(new Blob(["\uFEFF", text], { type: "text/csv" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName;
  link.click();
  // Some browsers read the blob only after the click has been handled.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
