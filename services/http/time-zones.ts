// Which names of time zones are taken: those that the runtime knows, so that days can be told by them.

const known = new Set([...Intl.supportedValuesOf("timeZone"), "UTC"]);

export function isTimeZone(name: string): boolean {
  return known.has(name);
}
