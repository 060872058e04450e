// Sign-ins whose first step is done and that wait for a second factor: no session exists before it is given.
import type { Sql } from "#db/connect.ts";
import { hashOf, newSecret } from "#identity/secrets.ts";

/** The second step must follow within this time. */
export const SECOND_STEP_SECONDS = 300;

export type SecondStep = {
  readonly uid: string;
  /** The person's epoch of sessions at the first step. */
  readonly epoch: number;
};

export type SecondSteps = {
  /** A secret that stands for the first step. */
  readonly begin: (step: SecondStep) => Promise<string>;
  readonly find: (token: string) => Promise<SecondStep | undefined>;
  /** True once. */
  readonly finish: (token: string) => Promise<boolean>;
};

export function createSecondSteps(sql: Sql, clock: () => Date): SecondSteps {
  return {
    async begin({ uid, epoch }) {
      const token = newSecret();
      const now = clock();
      const expiresAt = new Date(now.getTime() + SECOND_STEP_SECONDS * 1000);
      await sql`delete from identity.second_steps where expires_at < ${now}`;
      await sql`
        insert into identity.second_steps (token_hash, uid, session_epoch, expires_at)
        values (${hashOf(token)}, ${uid}, ${epoch}, ${expiresAt})`;
      return token;
    },
    async find(token) {
      const [row] = await sql<{ uid: string; session_epoch: number }[]>`
        select uid, session_epoch from identity.second_steps
        where token_hash = ${hashOf(token)} and expires_at > ${clock()}`;
      return row === undefined ? undefined : { uid: row.uid, epoch: row.session_epoch };
    },
    async finish(token) {
      const finished = await sql`
        delete from identity.second_steps
        where token_hash = ${hashOf(token)} and expires_at > ${clock()}`;
      return finished.count === 1;
    },
  };
}
