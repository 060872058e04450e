// The paper that printers have where this browser is.

/** US Letter in regions whose printers use it, otherwise A4. */
export function paperFor(language: string): "letter" | "a4" {
  const region = new Intl.Locale(language).maximize().region ?? "";
  return ["US", "CA", "MX", "PH", "CO", "CL", "VE"].includes(region) ? "letter" : "a4";
}

/** By the browser's locale. Unlike `navigator.language`, it is always one that `Intl` understands. */
export function ownPaper(): "letter" | "a4" {
  return paperFor(new Intl.DateTimeFormat().resolvedOptions().locale);
}
