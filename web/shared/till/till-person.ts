// Who may keep selling at this till while the server cannot say who is signed in: the last admin it named.
import { useEffect } from "react";
import * as z from "zod/mini";
import { localValue } from "#web/lib/local-store.ts";
import type { Profile, SessionState } from "#web/shared/account/session.tsx";

/** The part of a profile that the frame around a screen shows. */
export type ShownPerson = Pick<Profile, "uid" | "displayName" | "username" | "email" | "role">;

/** A separate database, so that it can be deleted at sign-out without touching the sales. */
export const tillCatalogueName = "posCatalogue";
/** Rates and agreed shares, in local storage; forgotten at sign-out too. */
export const tillTermsName = "posTerms";

const person = z.object({
  uid: z.string(),
  displayName: z.nullable(z.string()),
  username: z.nullable(z.string()),
});
const remembered = localValue("posPerson", z.nullable(person), null);

function remember(state: SessionState): void {
  if (state.status === "signed-in" && state.profile.role === "admin") {
    const { uid, displayName, username } = state.profile;
    if (remembered.read()?.uid !== uid) {
      remembered.write({ uid, displayName, username });
    }
  } else if (
    (state.status === "signed-in" || state.status === "signed-out") &&
    remembered.read() !== null
  ) {
    const chosen = state.status === "signed-out" && state.chosen;
    // Only once it is done: a page that is closed before does it when it is opened again.
    void import("./forget-till.ts")
      .then(({ forgetTill }) => forgetTill(new Date(), chosen))
      .then(() => remembered.write(null));
  }
}

/**
 * The person to show a protected screen to: the signed-in one, or at the till, while the server is unreachable, the admin
 * remembered here. The server still decides about every call. Undefined while unknown.
 */
export function useShownPerson(state: SessionState, isTill: boolean): ShownPerson | undefined {
  useEffect(() => remember(state), [state]);
  if (state.status === "signed-in") {
    return state.profile;
  }
  const last = remembered.read();
  return isTill && last !== null && state.status !== "signed-out"
    ? { ...last, email: null, role: "admin" }
    : undefined;
}
