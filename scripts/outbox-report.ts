// The outbox of notifications and the search for pictures as npm run status and npm run jobs print them.
import type { BackfillCounts } from "#features/images/backfill-counts.ts";
import type { OutboxResponse } from "#features/notifications/contract-outbox.ts";
import { readOutboxNow } from "#features/notifications/outbox-now.ts";
import { createProfiles } from "#identity/profiles.ts";
import type { Books } from "./books.ts";

export function readOutbox({ sql }: Books): Promise<OutboxResponse> {
  return readOutboxNow({ sql, profiles: createProfiles(sql), clock: () => new Date() });
}

/** One line for each channel; none in a store whose worker never ran. */
export function describeChannels({ channels }: Pick<OutboxResponse, "channels">): string[] {
  return channels.map((channel) => {
    const { waiting, waitingSince, failing, uncertain, givenUp } = channel;
    const since = waitingSince === null ? "" : ` since ${waitingSince}`;
    return (
      `Notifications ${channel.channel.padEnd(8)} ${stateOf(channel)}: ${waiting} waiting${since}, ` +
      `${failing} failing, ${uncertain} uncertain, ${givenUp} given up`
    );
  });
}

function stateOf({
  stopped,
  pausedUntil,
  isConfigured,
}: OutboxResponse["channels"][number]): string {
  if (stopped !== null) {
    return `STOPPED (${stopped})`;
  }
  if (pausedUntil !== null) {
    return `paused until ${pausedUntil}`;
  }
  return isConfigured ? "sends" : "not set up";
}

/** The messages that need a look. retry and drop take their ids. */
export function describeTroubled({ troubled }: OutboxResponse): string[] {
  return troubled.map(
    ({ id, channel, what, state, createdAt, tries, reason }) =>
      `  notifications ${id} ${what} by ${channel} of ${createdAt}, ${state} after ${tries} tries: ${reason}`,
  );
}

export function describeBackfill(backfill: BackfillCounts | null): string[] {
  return backfill === null
    ? []
    : [
        `Image backfill ${backfill.state}: ${backfill.waiting} waiting, ${backfill.done} done, ${backfill.failed} failed`,
      ];
}
