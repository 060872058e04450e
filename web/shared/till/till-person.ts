// Who may keep selling at this till while the server cannot say who is signed in: the last admin it named.
import { useEffect } from "react";
import * as z from "zod/mini";
import { forgetLocal, localValue } from "#web/lib/local-store.ts";
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
/** Whose the till's data in this browser is, until it is erased; "" for nobody's. */
const owner = localValue("posOwner", z.string(), "");

const forgetters = new Set<() => void>();

/** Calls back at sign-out, for what a till keeps in memory. */
export function whenForgotten(listener: () => void): void {
  forgetters.add(listener);
}

/**
 * At once, except for the sales. `withCarts` is false if the session only ended: then the carts wait for the same
 * person, because the customers do.
 */
function forget(ownerUid: string, withCarts: boolean): void {
  owner.write(ownerUid);
  remembered.write(null);
  indexedDB.deleteDatabase(tillCatalogueName);
  const carts = withCarts ? ["posCart", "posParked"] : [];
  for (const key of [tillTermsName, "posSales", "posPrices", "lastConsignor", ...carts]) {
    forgetLocal(key);
  }
  void eraseSales(ownerUid, withCarts).catch((error: unknown) => {
    // The owner stays, so that the next visit tries again.
    console.error("The till's sales cannot be erased", error);
  });
}

async function eraseSales(ownerUid: string, withCarts: boolean): Promise<void> {
  const file = await import("./forget-till.ts");
  await file.eraseSales(new Date(), () => remembered.read() === null);
  if (withCarts && owner.read() === ownerUid) {
    owner.write(remembered.read()?.uid ?? "");
  }
}

function remember(state: SessionState): void {
  if (state.status !== "signed-in" && state.status !== "signed-out") {
    return;
  }
  const ownerUid = owner.read() || (remembered.read()?.uid ?? "");
  const admin =
    state.status === "signed-in" && state.profile.role === "admin" ? state.profile : undefined;
  if (admin === undefined || (ownerUid !== "" && ownerUid !== admin.uid)) {
    for (const listener of forgetters) {
      listener();
    }
    if (ownerUid !== "") {
      forget(ownerUid, state.status === "signed-in" || state.chosen);
    }
  }
  if (admin !== undefined && remembered.read()?.uid !== admin.uid) {
    const { uid, displayName, username } = admin;
    remembered.write({ uid, displayName, username });
  }
  if (admin !== undefined && ownerUid === "") {
    owner.write(admin.uid);
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
