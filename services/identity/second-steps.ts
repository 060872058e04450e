// Sign-ins whose first step is done and that wait for a second factor: no session exists before it is given.
import type { Sql } from "#db/connect.ts";
import { hashOf, newSecret } from "#identity/secrets.ts";

/** The second step must follow within this time. */
export const SECOND_STEP_SECONDS = 300;

export type SecondStep = {
  readonly uid: string;
  /** The person's epoch of sessions at the first step. */
  readonly epoch: number;
  /** The person's password then; undefined without one. A session starts only while it is still theirs. */
  readonly passwordHash: string | undefined;
};

export type SecondSteps = {
  /**
   * A secret that stands for the first step. Undefined if the password that was checked has changed in the meantime;
   * `passwordHash` is undefined for another kind of first step.
   */
  readonly begin: (step: SecondStep) => Promise<string | undefined>;
  readonly find: (token: string) => Promise<SecondStep | undefined>;
  /** True once. */
  readonly finish: (token: string) => Promise<boolean>;
};

export function createSecondSteps(sql: Sql, clock: () => Date): SecondSteps {
  return {
    async begin({ uid, epoch, passwordHash }) {
      const token = newSecret();
      const now = clock();
      const expiresAt = new Date(now.getTime() + SECOND_STEP_SECONDS * 1000);
      await sql`delete from identity.second_steps where expires_at < ${now}`;
      // A change of the password deletes the steps before it, and this waits for one that is under way.
      const person =
        passwordHash === undefined
          ? sql`select uid from identity.profiles where uid = ${uid}`
          : sql`
              select p.uid from identity.profiles p join identity.credentials c on c.uid = p.uid
              where p.uid = ${uid} and c.password_hash = ${passwordHash} for share`;
      const begun = await sql`
        insert into identity.second_steps (token_hash, uid, session_epoch, expires_at)
        select ${hashOf(token)}, uid, ${epoch}::int, ${expiresAt}::timestamptz
        from (${person}) as person`;
      return begun.count === 1 ? token : undefined;
    },
    async find(token) {
      const [row] = await sql<
        { uid: string; session_epoch: number; password_hash: string | null }[]
      >`
        select s.uid, s.session_epoch, c.password_hash
        from identity.second_steps s left join identity.credentials c on c.uid = s.uid
        where s.token_hash = ${hashOf(token)} and s.expires_at > ${clock()}`;
      return row === undefined
        ? undefined
        : {
            uid: row.uid,
            epoch: row.session_epoch,
            passwordHash: row.password_hash ?? undefined,
          };
    },
    async finish(token) {
      const finished = await sql`
        delete from identity.second_steps
        where token_hash = ${hashOf(token)} and expires_at > ${clock()}`;
      return finished.count === 1;
    },
  };
}
