// What people are called: usernames, emails and display names as the calls take them. Apart from the profile, which every visitor loads.
import * as z from "zod/mini";
import { honestName, personName, text } from "#ledger/fields.ts";

/** The sentences of these calls; screens show them unchanged. */
export const messages = {
  usernameShape: "Username must be 3-20 characters (letters, numbers, hyphens, underscores)",
  usernameTaken: "Username already taken",
  usernameSet: "Username set",
  invalidEmail: "Invalid email address.",
  userUpdated: "User updated successfully",
  userDeleted: "User deleted successfully",
  discordIdShape: "A Discord ID is a number of 17 to 20 digits",
} as const;

/** Converted to lower case here, so that the checked value is the stored one. */
export const username = z
  .string(messages.usernameShape)
  .check(
    z.trim(),
    z.toLowerCase(),
    z.regex(/^[a-z0-9_-]{3,20}$/u, messages.usernameShape),
    personName,
  );

export const email = z
  .string(messages.invalidEmail)
  .check(z.trim(), z.maxLength(254, messages.invalidEmail), z.email(messages.invalidEmail));

export const displayName = text(0, 100, "A display name is text").check(honestName, personName);
