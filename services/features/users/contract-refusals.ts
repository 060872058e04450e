// The refusals of the calls about users, by code, with their sentences.
import { messages } from "#features/users/contract-names.ts";

/**
 * Refusals of these calls, by code. Every call may also return 400 `validation_failed` (with details), 401 and 403;
 * the limited ones 429 `too_many_attempts` (with Retry-After).
 */
export const userRefusals = {
  /** every call that names a user */
  unknown_user: { status: 404, message: "There is no such user" },
  /** POST /auth/users: the uid of somebody else */
  foreign_uid: { status: 403, message: "You can only create your own profile" },
  /** set-username, PUT /auth/users/{uid} */
  username_taken: { status: 409, message: messages.usernameTaken },
  /** set-username, PUT /auth/users/{uid}: about somebody who is an admin, or becomes one */
  admin_name_taken: {
    status: 409,
    message:
      "Another admin is called this, or was lately, or something that looks the same. Choose another name",
  },
  /** PUT /auth/users/{uid}: another account signs in with this email */
  email_already_in_use: {
    status: 409,
    message: "This email is already registered with another account",
  },
  /** PUT /auth/users/{uid} with another email: its letter could not be sent, so it stays */
  mail_unavailable: {
    status: 503,
    message: "The email could not be sent. Please try again in a few minutes.",
  },
  /** email-change/agree, email-change/stop */
  email_change_invalid: {
    status: 400,
    message:
      "This link was used, was stopped or has expired. Ask an admin to change the email again.",
  },
  /** email-change/agree */
  email_change_contended: {
    status: 409,
    message: "Others are changing the same things right now. Try again",
  },
  /** POST /auth/invitations: `current` names the account */
  email_already_invited: { status: 409, message: "Somebody with this email is here already" },
  /** POST /auth/users/{uid}/invitation */
  can_sign_in: { status: 409, message: "This person can sign in already" },
  admin_not_invited: {
    status: 409,
    message: "Admins cannot be invited. Remove the admin role first",
  },
  email_changed: {
    status: 409,
    message: "This person's email was changed in the meantime. Look again, then invite",
  },
  no_email: { status: 409, message: "This account has no email. Enter one first" },
  /** invitation, invitation/accept */
  invitation_invalid: {
    status: 400,
    message: "This link was used, was revoked or has expired. Ask the store to send it again.",
  },
  /** invitation/accept */
  password_too_common: {
    status: 400,
    message: "This password is easy to guess. Choose another one.",
  },
  /** PUT /auth/users/{uid} with another email, or with the admin role */
  invitation_open: {
    status: 409,
    message: "This person was invited and has not accepted yet. Revoke the invitation first",
  },
  /** PUT and DELETE /auth/users/{uid} */
  last_admin: { status: 409, message: "There must be an admin left: make somebody else one first" },
  /** POST /identity/setup */
  setup_link_invalid: {
    status: 400,
    message: "This set-up link was used, replaced or has expired",
  },
  /** PUT, DELETE: the user was deleted before */
  user_deleted: { status: 409, message: "This user was deleted" },
  /** DELETE /auth/users/{uid} */
  own_account: { status: 409, message: "You cannot delete your own account" },
  /** DELETE /auth/users/{uid}; the message names what is left, `current` has the numbers */
  user_not_settled: { status: 409, message: "This user cannot be deleted yet" },
  /** DELETE /auth/users/{uid}: the user is getting goods right now */
  stock_not_known: {
    status: 409,
    message: "This user's stock is changing right now. Please try again in a moment",
  },
} as const;
