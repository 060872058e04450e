// Raises alerts for what only an operator can mend: a channel that is stopped, and notifications that were given up.
import type { Sql } from "#db/connect.ts";
import type { Alerting } from "../proof/alerting.ts";

const KEYS = { stopped: "notifications:stopped", givenUp: "notifications:given-up" } as const;

/** Each look raises what is wrong and resolves what is right again. It writes nothing while nothing changes. */
export function createTroubleWatch(sql: Sql, alerting: Alerting): () => Promise<void> {
  const said = new Map<string, boolean>();
  const tell = async (key: string, subject: string, count: number): Promise<void> => {
    const isWrong = count > 0;
    if (said.get(key) === isWrong) {
      return;
    }
    await (isWrong
      ? alerting.raise({
          key,
          kind: "notifications",
          subject,
          rowKey: null,
          count,
          atPosition: 0,
        })
      : alerting.resolve(key));
    said.set(key, isWrong);
  };
  return async () => {
    const [now] = await sql<{ stopped: number; givenUp: number }[]>`
      select
        (select count(*) from store.notification_channels where stopped_at is not null) as stopped,
        (select count(*) from identity.notifications
         where looked_at is null and state = 'given-up') as "givenUp"`;
    await tell(KEYS.stopped, "stopped", now?.stopped ?? 0);
    await tell(KEYS.givenUp, "given-up", now?.givenUp ?? 0);
  };
}
