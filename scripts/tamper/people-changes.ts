// Changes of who may do what and of where money goes, made without the log that should have decided them.
import type { Change } from "./change.ts";
import { atOrNamed, bySql, named } from "./change.ts";

type Person = { readonly uid: string; readonly position: number };
const about = ({ uid, position }: Person) => atOrNamed(position, uid);

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
    () => named("nobody-000000000000000000"),
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
    "an invitation to another address",
    ({ invited }) =>
      `update identity.invitations set email_hash = sha256('thief@example.test') where uid = '${invited.uid}'`,
    ({ invited }) => named(invited.uid),
  ),
  bySql(
    "an invitation by nobody",
    ({ invited }) =>
      `update identity.invitations set invited_by = 'nobody' where uid = '${invited.uid}'`,
    ({ invited }) => named(invited.uid),
  ),
  bySql(
    "an invitation by somebody who was never an admin",
    ({ invited, consignor }) =>
      `update identity.invitations set invited_by = '${consignor.uid}' where uid = '${invited.uid}'`,
    ({ invited }) => named(invited.uid),
  ),
  bySql(
    "an invitation to an account that has a password",
    ({ consignor, admin }) => `
      insert into identity.invitations (uid, email_hash, invited_by, invited_at)
      select uid, sha256(convert_to(lower(email), 'UTF8')), '${admin.uid}', now()
      from identity.profiles where uid = '${consignor.uid}'`,
    ({ consignor }) => named(consignor.uid),
  ),
  bySql(
    "a picture exchanged under its id",
    ({ picture }) =>
      `update files.images set image = image || '\\x00' where id = '${picture.imageId}'`,
    ({ picture }) => named(picture.imageId),
  ),
  bySql(
    "a picture deleted",
    ({ picture }) => `delete from files.images where id = '${picture.imageId}'`,
    ({ picture }) => named(picture.imageId),
  ),
  bySql(
    "a payout handle changed to another account",
    ({ payout }) =>
      `update identity.payout_handles set handle = '$Somebody' where id = '${payout.handleId}'`,
    ({ payout }) => atOrNamed(payout.position, payout.handleId),
  ),
  bySql(
    "a payout handle changed to another method",
    ({ payout }) =>
      `update identity.payout_handles set method = 'venmo' where id = '${payout.handleId}'`,
    ({ payout }) => atOrNamed(payout.position, payout.handleId),
  ),
];
