// Checks kept answers: each key has exactly the events that were written under it, and the answer that they hashed.
import type { TransactionSql } from "postgres";
import { textArray } from "#ledger/log/encode.ts";
import type { HashForm } from "#ledger/log/chain.ts";
import { answerHash, canonicalJson } from "#ledger/log/chain.ts";
import type { StoredEvent } from "#ledger/log/read.ts";
import type { Findings } from "#ledger/verify/findings.ts";
import type { Problem } from "#ledger/verify/problem.ts";

/** A kept answer as it is in the table, where every column may contain anything. */
type KeptRow = {
  readonly scope: string;
  readonly key: string;
  readonly requestHash: string;
  readonly answer: unknown;
  readonly kind: string | null;
  /** As text, since it may be too large for a number. */
  readonly position: string | null;
  readonly events: number | null;
};

/** How many answers the chain proves, and how many it does not cover. */
export type AnswerCounts = {
  /** In the field hash of their command's first event. */
  readonly chained: number;
  /** Kept before answers were hashed: events, key and position are checked, the answer itself cannot be. */
  readonly older: number;
  /** Refusals, and accepted commands that wrote nothing: they have no event to cover them. */
  readonly refused: number;
  readonly acceptedWithoutEvents: number;
};

/** The events of one command, collected during the walk. */
type Command = {
  readonly name: string;
  readonly first: number;
  readonly form: number;
  readonly kept: KeptRow | undefined;
  last: number;
  events: number;
};

// The one character that cannot occur in PostgreSQL's text.
const BETWEEN = "\u0000";
const nameOf = (scope: string, key: string): string => `${scope}${BETWEEN}${key}`;
const shown = (name: string): string => name.replace(BETWEEN, "/");

const KEPT = `
  select k.scope, k.key, encode(k.request_hash, 'hex') as "requestHash", k.answer,
    k.answer ->> 'kind' as kind, k.position::text as position, k.events
  from unnest($1::text[], $2::text[]) as a (scope, key)
  join log.command_keys k on k.scope = a.scope and k.key = a.key`;

/** Follows the commands through the log event by event, in ranges whose answers are loaded together. */
export type AnswerWalk = {
  /** Loads the answers to these events, which follow those already walked. */
  readonly load: (sql: TransactionSql, events: readonly StoredEvent[]) => Promise<void>;
  /** Takes the next event; returns the form of its hash, or undefined if its answer is missing. */
  readonly next: (event: StoredEvent) => HashForm | undefined;
  /** Called after the last event; returns how many answers were proved, and where the older form ended. */
  readonly end: () => {
    readonly chained: number;
    readonly older: number;
    readonly lastOlder: number;
  };
};

/** What is wrong with a command's answer, once all its events are known. */
function problemsOf({ name, first, last, events, form, kept }: Command): Problem[] {
  if (kept === undefined) {
    return [];
  }
  const messages: string[] = [];
  if (kept.position !== String(last)) {
    messages.push(`names position ${kept.position}, but its command's events end at ${last}`);
  }
  if (kept.kind !== "accepted") {
    messages.push(`is not an accepted one, but its command wrote event ${first}`);
  }
  const mayLackCount = form === 1;
  if (kept.events !== events && !(kept.events === null && mayLackCount)) {
    messages.push(
      `stands for ${kept.events ?? "no number of"} events, but its command wrote ${events}`,
    );
  }
  return messages.map((message) => ({
    check: "keys",
    position: first,
    message: `The answer kept under ${shown(name)} ${message}`,
  }));
}

/** The answers kept under these keys. */
async function readKept(
  sql: TransactionSql,
  names: readonly string[],
  findings: Findings,
): Promise<Map<string, KeptRow>> {
  const pairs = names.map((name) => name.split(BETWEEN));
  const rows = await sql.unsafe<KeptRow[]>(
    KEPT,
    [textArray(pairs.map(([scope]) => scope ?? "")), textArray(pairs.map(([, key]) => key ?? ""))],
    { prepare: true },
  );
  const byName = new Map<string, KeptRow>();
  for (const row of rows) {
    const name = nameOf(row.scope, row.key);
    if (byName.has(name)) {
      findings.add({ check: "keys", position: 0, message: `${shown(name)} has two answers` });
    }
    byName.set(name, row);
  }
  return byName;
}

/** Once an event has the newer form, none after it has the older one. */
function watchForms(findings: Findings) {
  let lastOlder = 0;
  let newFormAt = 0;
  return {
    lastOlder: () => lastOlder,
    next({ position, hashForm }: StoredEvent): void {
      if (hashForm !== 1) {
        newFormAt = newFormAt === 0 ? position : newFormAt;
        return;
      }
      lastOlder = position;
      if (newFormAt > 0) {
        findings.add({
          check: "chain",
          position,
          message: `Event ${position} has the older canonical form, though event ${newFormAt} before it has the newer one`,
        });
      }
    },
  };
}

export function walkAnswers(findings: Findings): AnswerWalk {
  // Undefined if the answers of a range could not be read, which is a separate finding.
  let loaded: Map<string, KeptRow> | undefined;
  let command: Command | undefined;
  const forms = watchForms(findings);
  const counts = { chained: 0, older: 0 };

  const finish = (): void => {
    if (command !== undefined) {
      findings.add(...problemsOf(command));
      if (command.kept !== undefined) {
        counts[command.form === 1 ? "older" : "chained"] += 1;
      }
    }
    command = undefined;
  };

  const begin = (event: StoredEvent, name: string): Command => {
    const kept = loaded?.get(name);
    if (loaded !== undefined && kept === undefined) {
      findings.add({
        check: "keys",
        position: event.position,
        message: `event ${event.position} has no stored answer under its key ${shown(name)}`,
      });
    }
    const { position, hashForm } = event;
    return { name, first: position, form: hashForm, kept, last: position, events: 0 };
  };

  return {
    async load(sql, events) {
      loaded = undefined;
      const names = new Set(events.map((event) => nameOf(event.keyScope, event.commandKey)));
      // A command whose events began in the previous range has its answer already.
      names.delete(command?.name ?? "");
      loaded = await readKept(sql, [...names], findings);
    },
    next(event) {
      forms.next(event);
      const name = nameOf(event.keyScope, event.commandKey);
      if (command?.name !== name) {
        finish();
        command = begin(event, name);
      }
      command.events += 1;
      command.last = event.position;
      if (event.hashForm === 1) {
        return { form: 1 };
      }
      if (command.events > 1) {
        return { form: 2, answerHash: null };
      }
      const { kept } = command;
      return kept === undefined
        ? undefined
        : { form: 2, answerHash: answerHash({ ...kept, answerJson: canonicalJson(kept.answer) }) };
    },
    end() {
      finish();
      return { ...counts, lastOlder: forms.lastOlder() };
    },
  };
}

type Unbound = {
  readonly refused: number;
  readonly accepted: number;
  readonly wrong: readonly { readonly position: number; readonly message: string }[];
};

/**
 * The keys without events. Refusals and commands that wrote nothing can be at any position up to the head and say
 * that they have no events; anything else was inserted by hand. $1 is the head's position, $2 that of the last event
 * of the older form: keys from that time do not say how many events they have.
 */
const UNBOUND = `
  with unbound as materialized (
    select k.scope, k.key, k.position, k.events, k.answer ->> 'kind' as kind
    from log.command_keys k
    where not exists (
      select 1 from log.events e where e.key_scope = k.scope and e.command_key = k.key)),
  wrong as (
    select u.position, concat('The answer kept under ', u.scope, '/', u.key, ' ', w.what) as message
    from unbound u
    cross join lateral (values
      (u.events <> 0, concat('stands for ', u.events, ' events up to position ', u.position, ', and none of them is its own')),
      (u.events is null and u.position > $2::bigint,
        concat('at position ', u.position, ' does not say how many events it stands for')),
      ((u.position between 0 and $1::bigint) is not true,
        concat('names position ', u.position, ', but the log ends at ', $1::bigint)),
      ((u.kind in ('accepted', 'rejected')) is not true, 'is neither an answer nor a refusal')) w (is_wrong, what)
    where w.is_wrong)
  select (select count(*) from unbound where kind = 'rejected') as refused,
    (select count(*) from unbound where kind = 'accepted') as accepted,
    (select coalesce(jsonb_agg(jsonb_build_object('message', message,
        'position', case when position between 1 and $1::bigint then position else 0 end)), '[]')
     from (select * from wrong order by position, message limit 1000) w) as wrong`;

/** Checks the answers kept under keys without events, as far as possible. */
export async function checkUnboundKeys(
  sql: TransactionSql,
  findings: Findings,
  headPosition: number,
  lastOlder: number,
): Promise<{ refused: number; acceptedWithoutEvents: number }> {
  const [row] = await sql.unsafe<Unbound[]>(UNBOUND, [headPosition, lastOlder]);
  findings.add(...(row?.wrong ?? []).map((finding) => ({ check: "keys" as const, ...finding })));
  return { refused: row?.refused ?? 0, acceptedWithoutEvents: row?.accepted ?? 0 };
}
