// Saves text as a file on the person's device.

export function saveText(fileName: string, text: string): void {
  // Without the byte order mark, spreadsheets read the file in the old Western code page.
  const url = URL.createObjectURL(new Blob(["\uFEFF", text], { type: "text/csv" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName;
  link.click();
  // Some browsers read the blob only after the click handler has returned.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
