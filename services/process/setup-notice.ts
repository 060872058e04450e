// Tells whoever started the service, and nobody else, how to become the first admin.
import { createSetupLink } from "#identity/setup-link.ts";
import { isServerTrouble } from "#ledger/log/failure.ts";
import type { Store } from "./compose.ts";

/**
 * Prints a set-up link while there is no admin. Straight to the console: whoever reads it can become admin, so it
 * must not reach a log. There is one link for a store: of several processes that start, the last one's counts. A
 * database that is just away costs the link, not the service, which serves already.
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
    logger.warn({ err: error }, "no set-up link could be made; the next start makes one");
    return;
  }
  if (link !== undefined) {
    process.stdout.write(
      `There is no admin yet. Within an hour, open ${link}\n` +
        "(Any link that was printed before has ended.)\n",
    );
  }
}
