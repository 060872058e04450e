// Changes of the log itself: events, their typed rows, their streams, and the answers kept under their keys.
import type { Change } from "./change.ts";
import { at, atOrNamed, bySql, named } from "./change.ts";
import { availableAccount } from "#features/accounts/streams.ts";
import { CUSTOMERS } from "#features/sales/streams.ts";

const TABLES = ["events", "postings", "movements", "event_streams", "command_keys"];
const inAll = (statement: (table: string) => string) => TABLES.map(statement).join("");

const ofTheKey = `where scope = '{scope}' and key = '{key}'`;
const forKey = (statement: string) => (facts: { sale: { scope: string; key: string } }) =>
  statement.replace("{scope}", facts.sale.scope).replace("{key}", facts.sale.key);

export const eventChanges: readonly Change[] = [
  bySql(
    "a cent of a posting",
    ({ sale }) =>
      `update log.postings set cents = cents + 1 where position = ${sale.position} and ordinal = 0`,
    ({ sale }) => at(sale.position),
  ),
  bySql(
    "an extra posting",
    ({ sale, consignor }) => `
      insert into log.postings (position, ordinal, from_account, to_account, cents)
      values (${sale.position}, 99, '${CUSTOMERS}', '${availableAccount.of(consignor.uid)}', 100)`,
    ({ sale }) => at(sale.position),
  ),
  bySql(
    "an extra posting to an account unrelated to the event",
    ({ sale, admin }) => `
      insert into log.postings (position, ordinal, from_account, to_account, cents)
      values (${sale.position}, 99, '${CUSTOMERS}', '${availableAccount.of(admin.uid)}', 100)`,
    ({ sale }) => at(sale.position),
  ),
  bySql(
    "two events swapped, with all their rows and answers",
    ({ sale: { position } }) =>
      inAll(
        (table) => `
        update log.${table} set position = 100000 + position where position in (${position}, ${position + 1});
        update log.${table} set position = ${100_001 + 2 * position} - position where position > 100000;`,
      ),
    ({ sale }) => at(sale.position),
  ),
  bySql(
    "the time an event happened",
    ({ sale }) =>
      `update log.events set happened_at = happened_at - interval '1 day' where position = ${sale.position}`,
    ({ sale }) => at(sale.position),
  ),
  bySql(
    "the time an event was recorded",
    ({ sale }) =>
      `update log.events set recorded_at = recorded_at - interval '1 microsecond' where position = ${sale.position}`,
    ({ sale }) => at(sale.position),
  ),
  bySql(
    "the actor of an event",
    ({ sale, admin }) =>
      `update log.events set actor = '${admin.uid}' where position = ${sale.position}`,
    ({ sale }) => at(sale.position),
  ),
  bySql(
    "an event deleted from the middle, with all its rows",
    ({ sale }) => inAll((table) => `delete from log.${table} where position = ${sale.position};`),
    // The gap shows at the event after it.
    ({ sale }) => at(sale.position, sale.position + 1),
  ),
  bySql(
    "the version of a stream at an event",
    ({ sale }) =>
      `update log.event_streams set version = version + 40
       where position = ${sale.position} and stream_id = '${sale.itemStream}'`,
    ({ sale }) => at(sale.position),
  ),
  bySql(
    "a state row",
    ({ sale }) =>
      `update log.streams set state = jsonb_set(state, '{quantity}', '500') where id = '${sale.itemStream}'`,
    ({ sale }) => named(sale.itemStream),
  ),
  bySql(
    "a state row of an unknown stream",
    () =>
      `insert into log.streams (id, version, state, state_version) values ('nobody-1', 1, '{}', 1)`,
    () => named("nobody-1"),
  ),
  bySql(
    "an event that extends an unknown stream",
    ({ sale }) =>
      `insert into log.event_streams (stream_id, version, position) values ('nobody-1', 1, ${sale.position})`,
    ({ sale }) => atOrNamed(sale.position, "nobody-1"),
  ),
];

export const answerChanges: readonly Change[] = [
  bySql(
    "a kept answer",
    forKey(`update log.command_keys set answer = answer || '{"changed": true}' ${ofTheKey}`),
    ({ sale }) => atOrNamed(sale.position, sale.key),
  ),
  bySql(
    "the request hash of a key",
    forKey(`update log.command_keys set request_hash = sha256(request_hash) ${ofTheKey}`),
    ({ sale }) => atOrNamed(sale.position, sale.key),
  ),
  bySql(
    "the position of a key",
    forKey(`update log.command_keys set position = position - 1 ${ofTheKey}`),
    ({ sale }) => ({ positions: [sale.position, sale.position - 1], keys: [sale.key] }),
  ),
  bySql(
    "a forged key",
    forKey(`
      insert into log.command_keys (scope, key, request_hash, answer, position)
      select scope, 'forged-key', request_hash, answer, position from log.command_keys ${ofTheKey}`),
    () => named("forged-key"),
  ),
  bySql("a deleted key", forKey(`delete from log.command_keys ${ofTheKey}`), ({ sale }) => ({
    positions: [sale.position],
    keys: [sale.key],
  })),
];
