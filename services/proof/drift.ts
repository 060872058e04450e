// From rows that differ from the log to alerts and payout holds of the people concerned, and back once the rows are right.
import type { Sql } from "#db/connect.ts";
import { readPeopleOf } from "#features/holds/held-money.ts";
import { MOST_KEYS_APART, placeHold, releaseHold } from "#features/holds/place-holds.ts";
import { HOLDS, holdsStream } from "#features/holds/streams.ts";
import type { Alert } from "#features/alerts/streams.ts";
import { ALERTS, alertsStream } from "#features/alerts/streams.ts";
import type { Ledger } from "#ledger/log/ledger.ts";
import type { ReadEvent } from "#ledger/log/read-event.ts";
import { readState } from "#ledger/log/read-state.ts";
import type { Projection } from "#ledger/projection/define.ts";
import type { Alerting } from "./alerting.ts";

export type DriftDeps = {
  /** The primary. */
  readonly sql: Sql;
  readonly ledger: Ledger;
  readonly readEvent: ReadEvent;
  readonly clock: () => Date;
  readonly alerting: Alerting;
};

/** A row key that somebody made up may be of any length. */
const LONGEST_KEY = 300;

/** A row key as alerts and holds name it. */
export function namedKey(key: string): string {
  return key.slice(0, LONGEST_KEY).toWellFormed();
}

/** The row key that an alert names. Undefined for many rows, and where it may only be the beginning of a key. */
export function wholeKeyOf({ rowKey }: Pick<Alert, "rowKey">): string | undefined {
  return rowKey === null || rowKey.length >= LONGEST_KEY ? undefined : rowKey;
}

/** `drift:balances:consignor:…`, or `drift:balances:*` for many rows. */
function alertKey(projection: string, rowKey: string | null): string {
  return `drift:${projection}:${rowKey ?? "*"}`;
}

/** `proof:balances:consignor:…:`, the beginning of the references of an alert's holds. */
function referencePrefix({ subject, rowKey }: Pick<Alert, "subject" | "rowKey">): string {
  return `proof:${subject}:${rowKey ?? "*"}:`;
}

/** The open alerts about rows of a projection that differ from the log. */
export async function openDrift(deps: DriftDeps, projection: string): Promise<readonly Alert[]> {
  const { open } = await readState(deps, alertsStream, ALERTS);
  return open.filter(({ kind, subject }) => kind === "drift" && subject === projection);
}

/** Raises one alert for many rows. Where they show money, nobody can tell whose, so everybody's payouts wait. */
export async function reportManyRows(
  deps: DriftDeps,
  projection: Projection,
  { rows, position }: { readonly rows: number; readonly position: number },
): Promise<void> {
  const fault = { subject: projection.name, rowKey: null, count: rows, atPosition: position };
  const key = alertKey(projection.name, null);
  const episode = await deps.alerting.raise({ ...fault, key, kind: "drift" });
  if (projection.money !== undefined) {
    await placeHold(deps, {
      uid: null,
      reference: `${referencePrefix(fault)}${episode}`,
      cause: "proof",
      projection: projection.name,
      rowKey: null,
      atPosition: position,
    });
  }
}

/**
 * Raises an alert for each row key that differs, and holds the payouts of the people whose money it shows: nobody
 * else's. Reporting the same fault again changes nothing.
 */
export async function reportDrift(
  deps: DriftDeps,
  projection: Projection,
  { drifted, position }: { readonly drifted: readonly string[]; readonly position: number },
): Promise<void> {
  const open = await openDrift(deps, projection.name);
  const apart = new Set([
    ...open.flatMap(({ rowKey }) => rowKey ?? []),
    ...drifted.map((key) => namedKey(key)),
  ]);
  if (drifted.length > 0 && apart.size > MOST_KEYS_APART) {
    await reportManyRows(deps, projection, { rows: drifted.length, position });
    return;
  }
  const people = await readPeopleOf(deps.sql, projection, drifted);
  for (const key of drifted) {
    const rowKey = namedKey(key);
    const fault = { subject: projection.name, rowKey, count: 1, atPosition: position };
    const episode = await deps.alerting.raise({
      ...fault,
      key: alertKey(projection.name, rowKey),
      kind: "drift",
    });
    for (const uid of people.get(key) ?? []) {
      await placeHold(deps, {
        uid,
        reference: `${referencePrefix(fault)}${episode}`,
        cause: "proof",
        projection: projection.name,
        rowKey,
        atPosition: position,
      });
    }
  }
}

/** Releases the holds of these alerts and resolves them, because a later proof found the rows right. */
export async function settleDrift(deps: DriftDeps, alerts: readonly Alert[]): Promise<void> {
  if (alerts.length === 0) {
    return;
  }
  const { open } = await readState(deps, holdsStream, HOLDS);
  for (const alert of alerts) {
    const prefix = referencePrefix(alert);
    for (const hold of open.filter(({ reference }) => reference.startsWith(prefix))) {
      await releaseHold(deps, hold);
    }
    await deps.alerting.resolve(alert.key);
  }
}
