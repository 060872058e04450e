// Changes of who may do what and of where money goes, made without the log that should have decided them.
import type { Change } from "./change.ts";
import { bySql } from "./change.ts";

/** A finding may name the person, or the last event about them. */
const about = ({ uid, position }: { readonly uid: string; readonly position: number }) => ({
  positions: [position],
  keys: [uid],
});

export const peopleChanges: readonly Change[] = [
  bySql(
    "a user made an admin",
    ({ consignor }) => `update identity.profiles set role = 'admin' where uid = '${consignor.uid}'`,
    ({ consignor }) => about(consignor),
  ),
  bySql(
    "an admin made a user",
    ({ admin }) => `update identity.profiles set role = 'user' where uid = '${admin.uid}'`,
    ({ admin }) => about(admin),
  ),
  bySql(
    "a new profile that is an admin",
    () => `
      insert into identity.profiles (uid, email, role, created_at)
      values ('nobody-000000000000000000', 'nobody@example.test', 'admin', now())`,
    () => ({ positions: [], keys: ["nobody-000000000000000000"] }),
  ),
  bySql(
    "a user deactivated",
    ({ consignor }) =>
      `update identity.profiles set deactivated_at = now() where uid = '${consignor.uid}'`,
    ({ consignor }) => about(consignor),
  ),
  bySql(
    "a deactivated user let in again",
    ({ deactivated }) =>
      `update identity.profiles set deactivated_at = null where uid = '${deactivated.uid}'`,
    ({ deactivated }) => about(deactivated),
  ),
  bySql(
    "a username",
    ({ consignor }) =>
      `update identity.profiles set username = 'somebody-else' where uid = '${consignor.uid}'`,
    ({ consignor }) => about(consignor),
  ),
  bySql(
    "a payout handle changed to another account",
    ({ payout }) =>
      `update identity.payout_handles set handle = '$Somebody' where id = '${payout.handleId}'`,
    ({ payout }) => ({ positions: [payout.position], keys: [payout.handleId] }),
  ),
  bySql(
    "a payout handle changed to another method",
    ({ payout }) =>
      `update identity.payout_handles set method = 'venmo' where id = '${payout.handleId}'`,
    ({ payout }) => ({ positions: [payout.position], keys: [payout.handleId] }),
  ),
];
