// What Discord's callback put into the address: a token and where to go, or what failed, in the specified words or in those that say what to do.
import { isLocalPath, messages } from "#features/sign-in/contract.ts";
import { afterSignIn, paths, setupPasswordPath } from "#web/paths.ts";

type Arrival =
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "token"; readonly token: string; readonly next: string };

/** Where to go after a successful sign-in. New users set a backup password first, unless they are about to become the first admin. */
function nextOf(params: URLSearchParams): string {
  const asked = params.get("returnPath");
  const local = asked !== null && isLocalPath(asked) ? asked : undefined;
  return params.get("isNew") === "true" && local !== paths.login
    ? setupPasswordPath
    : (local ?? afterSignIn);
}

/** Errors that the person can do something about. */
const ownSentences: Readonly<Record<string, string>> = {
  provider_unlinked: messages.providerUnlinked,
  invitation_ended: messages.invitationEnded,
};

export function arrivalIn(search: string): Arrival {
  const params = new URLSearchParams(search);
  if (params.has("error")) {
    const said = ownSentences[params.get("error") ?? ""];
    return { kind: "failed", message: said ?? messages.discordFailed };
  }
  const token = params.get("token") ?? "";
  return token === ""
    ? { kind: "failed", message: messages.discordTokenMissing }
    : { kind: "token", token, next: nextOf(params) };
}
