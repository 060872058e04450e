// The letters that identity sends. Links have their token after the hash sign, so that it never reaches a server's log.
import type { Letter } from "#mail/letter.ts";

/** Who writes, and where the links lead: `appUrl` without a slash at the end. */
export type Sender = { readonly storeName: string; readonly appUrl: string };

export function verificationLetter(
  email: string,
  { storeName, appUrl }: Sender,
  token: string,
): Letter {
  return {
    to: email,
    subject: `Verify your email for ${storeName}`,
    paragraphs: [
      `Please confirm that ${email} is your email address. The link works once, within a day, in a browser where you are signed in to the account that asked for it.`,
    ],
    action: { label: "Verify your email", url: `${appUrl}/verify-email#token=${token}` },
    closing: "If you did not ask for this, ignore this letter: nothing will change.",
  };
}

export function resetLetter(email: string, { storeName, appUrl }: Sender, token: string): Letter {
  return {
    to: email,
    subject: `Reset your password for ${storeName}`,
    paragraphs: [
      `Somebody asked for a new password for ${email}. The link works once, within an hour. Setting a new password signs you out everywhere.`,
    ],
    action: { label: "Reset your password", url: `${appUrl}/reset-password#token=${token}` },
    closing: "If you did not ask for this, ignore this letter: your password stays as it is.",
  };
}

export function invitationLetter(
  { to, displayName }: { readonly to: string; readonly displayName: string | null },
  { storeName, appUrl }: Sender,
  token: string,
): Letter {
  const greeting = displayName === null ? "" : `Hello ${displayName}. `;
  return {
    to,
    subject: `Your account at ${storeName}`,
    paragraphs: [
      `${greeting}${storeName} made an account for ${to}, where you see your items, your sales and what you are owed. Choose a username and a password to open it. The link works once, within seven days.`,
    ],
    action: { label: "Open your account", url: `${appUrl}/reset-password#invitation=${token}` },
    closing: `If you do not know ${storeName}, ignore this letter: nobody can sign in to the account without this link.`,
  };
}

/** After an admin or the operator took every second factor away. */
export function factorsResetLetter(email: string, { storeName, appUrl }: Sender): Letter {
  return {
    to: email,
    subject: `Your second factor for ${storeName} was removed`,
    paragraphs: [
      `${storeName} removed the passkeys, the authenticator app and the recovery codes of ${email}, and signed you out everywhere. Sign in with your password, Google or Discord, and set up a second factor again on your profile.`,
    ],
    action: { label: "Sign in", url: `${appUrl}/login` },
    closing: "If you did not ask for this, set a new password at once and tell the store.",
  };
}

/** After somebody, probably the person, changed how the account signs in. */
export function signInChangedLetter(
  email: string,
  { storeName, appUrl }: Sender,
  change: SignInChange,
): Letter {
  const { title, sentence } = signInChanges[change];
  return {
    to: email,
    subject: `${title} at ${storeName}`,
    paragraphs: [`${sentence} This is about the account ${email} at ${storeName}.`],
    action: { label: "Open your profile", url: `${appUrl}/profile` },
    closing: `If this was not you, set a new password at once on the sign-in page, then tell ${storeName}.`,
  };
}

const signInChanges = {
  "password-set": {
    title: "A password was set",
    sentence: "A password was set. It opens your account together with your email from now on.",
  },
  "password-changed": {
    title: "Your password was changed",
    sentence: "Your password was changed, and every other device was signed out.",
  },
  "password-reset": {
    title: "Your password was reset",
    sentence:
      "A new password was set with the link from your email, and every device was signed out. Google or Discord accounts with another email are no longer linked.",
  },
  "google-linked": {
    title: "A Google account was linked",
    sentence:
      "Somebody signed in with a Google account that has your email. It opens your account from now on.",
  },
  "discord-linked": {
    title: "A Discord account was linked",
    sentence:
      "Somebody signed in with a Discord account that has your email. It opens your account from now on.",
  },
  "provider-linked": {
    title: "Another account was linked",
    sentence:
      "Somebody signed in with an account elsewhere that has your email. It opens yours from now on.",
  },
  "google-unlinked": {
    title: "A Google account was unlinked",
    sentence:
      "Google no longer opens your account until you allow it again on your profile, and every other device was signed out.",
  },
  "discord-unlinked": {
    title: "A Discord account was unlinked",
    sentence:
      "Discord no longer opens your account until you allow it again on your profile, and every other device was signed out. Where the store's messages go stays as it is.",
  },
  "passkey-added": {
    title: "A passkey was added",
    sentence: "A passkey was added. It can be used as the second step when you sign in.",
  },
  "totp-added": {
    title: "An authenticator app was added",
    sentence: "An authenticator app was added. Signing in asks for one of its codes from now on.",
  },
  "passkey-removed": {
    title: "A passkey was removed",
    sentence: "A passkey was removed. It can no longer be used to sign in.",
  },
  "totp-removed": {
    title: "The authenticator app was removed",
    sentence: "The authenticator app was removed. Its codes no longer work.",
  },
  "recovery-codes-made": {
    title: "New recovery codes were made",
    sentence: "New recovery codes were made. The old ones no longer work.",
  },
} as const;

export type SignInChange = keyof typeof signInChanges;

/** To the old address, before an admin's change takes effect. It does not say the new one, which may be a typing error. */
export function emailReplacedLetter(email: string, { storeName, appUrl }: Sender): Letter {
  return {
    to: email,
    subject: `Your email at ${storeName} is being changed`,
    paragraphs: [
      `An admin of ${storeName} is changing the email of your account, which was ${email}. You are signed out everywhere, and sign in with the new email from now on. If you have a password, Google or Discord accounts with another email are no longer linked.`,
    ],
    action: { label: `Open ${storeName}`, url: `${appUrl}/login` },
    closing: `If you did not ask for this, tell ${storeName} at once.`,
  };
}

/** To an admin, or somebody who was one lately, whose name or username another admin changes. */
export function nameChangedLetter(email: string, { storeName, appUrl }: Sender): Letter {
  return {
    to: email,
    subject: `Your name at ${storeName} is being changed`,
    paragraphs: [
      `Another admin of ${storeName} is changing the name or the username of your account ${email}. Everything that you have done is shown under the new name from now on.`,
    ],
    action: { label: `Open ${storeName}`, url: `${appUrl}/login` },
    closing: `If you did not expect this, tell the other admins of ${storeName} at once.`,
  };
}

/** To somebody who is no longer an admin, because another admin said so. */
export function roleTakenLetter(email: string, { storeName, appUrl }: Sender): Letter {
  return {
    to: email,
    subject: `You are no longer an admin of ${storeName}`,
    paragraphs: [
      `Another admin of ${storeName} made your account ${email} a consignor's account. You can still sign in.`,
    ],
    action: { label: `Open ${storeName}`, url: `${appUrl}/login` },
    closing: `If you did not expect this, tell the other admins of ${storeName} at once.`,
  };
}

/** To an admin whose account another admin deleted. */
export function accountDeletedLetter(email: string, { storeName, appUrl }: Sender): Letter {
  return {
    to: email,
    subject: `Your account at ${storeName} was deleted`,
    paragraphs: [`Another admin of ${storeName} deleted your account ${email}.`],
    action: { label: `Open ${storeName}`, url: appUrl },
    closing: `If you did not expect this, tell the other admins of ${storeName} at once.`,
  };
}

/** To each of the other admins, when somebody becomes one or is one no longer. */
export function adminsChangedLetter(
  to: string,
  sentence: string,
  { storeName, appUrl }: Sender,
): Letter {
  return {
    to,
    subject: `Who is an admin of ${storeName} has changed`,
    paragraphs: [sentence],
    action: { label: `Open ${storeName}`, url: `${appUrl}/login` },
    closing: "If you did not expect this, ask them, and look at Security.",
  };
}

/** To both addresses of an admin, or of somebody who was one lately. */
export function emailChangeLetter(
  { to, newEmail }: { readonly to: string; readonly newEmail: string },
  { storeName, appUrl }: Sender,
  token: string,
): Letter {
  return {
    to,
    subject: `Confirm another email for your account at ${storeName}`,
    paragraphs: [
      `Another admin of ${storeName} asked to change the email of your account to ${newEmail}. It changes only when both the new and the current address have agreed, within three days.`,
    ],
    action: {
      label: "Agree or stop the change",
      url: `${appUrl}/confirm-email-change#token=${token}`,
    },
    closing: "If you did not expect this, open the link and stop the change.",
  };
}
