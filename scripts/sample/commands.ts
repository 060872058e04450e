// The commands of the sample store's past, collected in order before any of them is sent.
import { createHash } from "node:crypto";
import type { TransactionSql } from "postgres";
import type { Labels } from "#identity/labels.ts";
import { saltedNote, type Note } from "#identity/notes.ts";
import type { TradePapers } from "#identity/trade-papers.ts";
import type { BoundHandle } from "#identity/payout-handles.ts";
import type { Decider } from "#ledger/decider.ts";
import type { ExecutionContext, Ledger, Outcome } from "#ledger/log/ledger.ts";
import type { SampleConsignor } from "./people.ts";

/** One command of the past, not sent yet. */
export type SampleCommand = {
  readonly key: string;
  readonly actor: string;
  readonly send: (ledger: Ledger, context: ExecutionContext) => Promise<Outcome<unknown>>;
};

/** With its time, which puts the steps of different trades in order. */
export type TimedCommand = SampleCommand & { readonly happenedAt: string };

export type SampleUids = {
  readonly admin: string;
  readonly of: (who: SampleConsignor) => string;
  /** The handle a person is paid with. */
  readonly handleOf: (who: SampleConsignor) => BoundHandle;
  /** What trades keep outside the log. */
  readonly papers: TradePapers;
  readonly labels: Labels;
};

/** A UUID that is the same in every sample store. */
export function sampleId(key: string): string {
  const hex = createHash("sha256").update(`sample:${key}`).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Collects commands and the notes that they refer to. */
export class SampleCommands {
  readonly all: SampleCommand[] = [];
  /**
   * Sent after all others, one after the other: a command whose streams follow from states is decided a little later
   * than those that were sent with it.
   */
  readonly inTurn: TimedCommand[] = [];
  /** By the key of the command with the reason. */
  readonly notes = new Map<string, Note>();
  /** Payout handles, by the key of the command that names them. */
  readonly handles = new Map<string, BoundHandle>();
  /** Writes the rows that a command's event refers to, by the command's key. */
  readonly rows = new Map<string, (transaction: TransactionSql) => Promise<void>>();
  readonly uids: SampleUids;
  readonly #counts = new Map<string, number>();

  constructor(uids: SampleUids) {
    this.uids = uids;
  }

  /** `sale:12`: the key of the next command of a kind. */
  nextKey(kind: string): string {
    const number = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, number);
    return `${kind}:${number}`;
  }

  /** The admin sends it, unless another actor is given. */
  add<Command, Answer>(
    key: string,
    decider: Decider<Command, Answer>,
    // Only the decider says what the command is: with fewer fields, its event could not be read.
    command: NoInfer<Command>,
    actor = this.uids.admin,
  ): void {
    this.all.push({
      key,
      actor,
      send: (ledger, context) => ledger.execute(decider, command, context),
    });
  }

  /** The same for a command that has to wait for the one before it. */
  addInTurn<Command extends { readonly happenedAt: string }, Answer>(
    key: string,
    decider: Decider<Command, Answer>,
    command: Command,
    actor: string,
  ): void {
    this.inTurn.push({
      key,
      actor,
      happenedAt: command.happenedAt,
      send: (ledger, context) => ledger.execute(decider, command, context),
    });
  }

  /** Keeps a reason; returns its id. */
  note(key: string, text: string, about: SampleConsignor | null): string {
    const salt = createHash("md5").update(`sample-note:${key}`).digest();
    const note = saltedNote(salt, text, about === null ? this.uids.admin : this.uids.of(about));
    this.notes.set(key, note);
    return note.id;
  }
}
