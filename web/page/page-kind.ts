// Which page an address gets before the app runs: the sign-in form, the frame of a signed-in screen, or an empty one.
import { paths } from "#web/paths.ts";

const entries: ReadonlySet<string> = new Set([
  paths.home,
  paths.login,
  paths.discordSuccess,
  paths.googleCallback,
  paths.resetPassword,
  paths.verifyEmail,
  paths.confirmEmailChange,
  paths.verifyStatement,
]);

const known: ReadonlySet<string> = new Set(Object.values(paths));

/** True for the screens inside the frame, which only signed-in people see. */
export function needsSession(path: string): boolean {
  return (known.has(path) && !entries.has(path)) || /^\/consignors\/[^/]+\/history$/.test(path);
}
