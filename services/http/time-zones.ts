// The names of time zones that the store accepts: those that the runtime knows.

const known = new Set([...Intl.supportedValuesOf("timeZone"), "UTC"]);

export function isTimeZone(name: string): boolean {
  return known.has(name);
}
