// Tells only the person who started the service how to become the first admin.
import { createSetupLink } from "#identity/setup-link.ts";
import { isServerTrouble } from "#ledger/log/failure.ts";
import type { Store } from "./open-store.ts";

/**
 * Prints a setup link while there is no admin. It goes straight to the console: anyone who reads it can become admin,
 * so it must not reach a log. A store has one link: if several processes start, the last one's is valid. If the
 * database is away, no link is printed, but the service keeps running.
 */
export async function printSetupLink(
  { sql, clock, logger }: Pick<Store, "sql" | "clock" | "logger">,
  url: string,
): Promise<void> {
  let link: string | undefined;
  try {
    link = await createSetupLink(sql, clock, url);
  } catch (error) {
    if (!isServerTrouble(error)) {
      throw error;
    }
    logger.warn({ err: error }, "no setup link could be made; the next start makes one");
    return;
  }
  if (link !== undefined) {
    process.stdout.write(
      `There is no admin yet. Within an hour, open ${link}\n` +
        "(Links that were printed before are no longer valid.)\n",
    );
  }
}
