// Turns a browser's user agent into words that people know: "Chrome on Windows".

const browsers = [
  ["Edg", "Edge"],
  ["OPR", "Opera"],
  ["SamsungBrowser", "Samsung Internet"],
  ["Firefox", "Firefox"],
  ["FxiOS", "Firefox"],
  ["CriOS", "Chrome"],
  ["Chrome", "Chrome"],
  ["Safari", "Safari"],
] as const;

const systems = [
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Android", "Android"],
  ["Windows", "Windows"],
  ["Mac OS X", "Mac"],
  ["CrOS", "ChromeOS"],
  ["Linux", "Linux"],
] as const;

function nameIn(
  userAgent: string,
  names: readonly (readonly [string, string])[],
): string | undefined {
  return names.find(([mark]) => userAgent.includes(mark))?.[1];
}

/** A guess, good enough to recognize one's own devices. */
export function deviceOf(userAgent: string | null): string {
  const browser = nameIn(userAgent ?? "", browsers);
  const system = nameIn(userAgent ?? "", systems);
  if (browser === undefined) {
    return system ?? "Unknown device";
  }
  return system === undefined ? browser : `${browser} on ${system}`;
}
