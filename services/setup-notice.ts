// Tells whoever started the service, and nobody else, how to become the first admin.
import { createSetupLink } from "#identity/setup-link.ts";
import type { Store } from "./compose.ts";

/**
 * Prints a set-up link while there is no admin. Straight to the console: whoever reads it can become admin, so it
 * must not reach a log. There is one link for a store: of several processes that start, the last one's counts.
 */
export async function printSetupLink({ sql, clock }: Store, url: string): Promise<void> {
  const link = await createSetupLink(sql, clock, url);
  if (link !== undefined) {
    process.stdout.write(
      `There is no admin yet. Within an hour, open ${link}\n` +
        "(Any link that was printed before has ended.)\n",
    );
  }
}
