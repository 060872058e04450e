// How far the continuous proof is, as the worker wrote it down.
import type { Sql } from "#db/connect.ts";

export type ProofNow = {
  readonly passAt: Date | null;
  readonly passAccounts: number | null;
  /** The nightly proof that ended last: when it was due, when it ended, and what it found. */
  readonly dueAt: Date | null;
  readonly provedAt: Date | null;
  readonly position: number | null;
  readonly findings: number | null;
  /** When an admin asked for one that has not ended. */
  readonly askedAt: Date | null;
};

export async function readProof(sql: Sql): Promise<ProofNow> {
  const [row] = await sql<ProofNow[]>`
    select pass_at as "passAt", pass_accounts as "passAccounts", due_at as "dueAt",
      proved_at as "provedAt", position, findings, asked_at as "askedAt"
    from read.proof`;
  if (row === undefined) {
    throw new Error(
      "read.proof has lost its row: insert one with `insert into read.proof default values`",
    );
  }
  return row;
}

/** Whether an admin asked for a proof that has not begun: its end takes the question away. */
export function isProofAsked({ askedAt }: ProofNow): boolean {
  return askedAt !== null;
}
