// Remembers who was found: for what never changes about somebody once it is true.

const MOST_FOUND = 20_000;

/** Whether a look-up finds this key. A key that was found is not looked up again; one that was not is, each time. */
export function rememberFound(
  find: (key: string) => Promise<unknown>,
): (key: string) => Promise<boolean> {
  const found = new Set<string>();
  return async (key) => {
    if (found.has(key)) {
      return true;
    }
    if ((await find(key)) === undefined) {
      return false;
    }
    if (found.size >= MOST_FOUND) {
      found.clear();
    }
    found.add(key);
    return true;
  };
}
