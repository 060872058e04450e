// The key that tests seal secrets with.
import { createSealed } from "#identity/sealed.ts";

/** For tests whose processes share a database: as SECRET_KEY. */
export const TEST_SECRET_KEY = "5ec4e7".padEnd(64, "0123456789abcdef");

export const testSealed = createSealed({
  current: Buffer.from(TEST_SECRET_KEY, "hex"),
  previous: [],
});
