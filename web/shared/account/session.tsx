// Who is signed in: restored from the cookie at start, shared with the other tabs, cleared at sign-out. Screens use `useSession`.
import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from "react";
import { useSWRConfig } from "swr";
import { userResponse, type UserResponse } from "#features/users/contract.ts";
import type { GoogleRequest, SignInRequest, SignUpRequest } from "#features/sign-in/contract.ts";
import { adoptToken, dropToken, idToken, postInTurn, sessionHint } from "#web/lib/id-token.ts";
import { forgetPosition, read, whenForbidden, whenSignedOut } from "#web/lib/http.ts";
import { followLedger } from "#web/lib/live.ts";
import { forgetFirstReads } from "#web/lib/opening.ts";

export type Profile = UserResponse;

export type SessionState =
  | { readonly status: "loading" }
  | { readonly status: "unreachable" }
  | { readonly status: "signed-in"; readonly profile: Profile }
  /** `chosen`: the person signed out, and need not return to the same page. */
  | { readonly status: "signed-out"; readonly chosen: boolean };

export type Session = {
  readonly state: SessionState;
  /** Each throws ApiError. */
  readonly signIn: (input: SignInRequest) => Promise<void>;
  readonly signUp: (input: SignUpRequest) => Promise<void>;
  readonly signInWithGoogle: (input: GoogleRequest) => Promise<void>;
  /** With a passkey that this browser knows, and nothing else. */
  readonly signInWithPasskey: () => Promise<void>;
  /** With the token that Discord's callback gives to this browser. It works once. */
  readonly signInWithToken: (token: string) => Promise<void>;
  readonly signOut: () => Promise<void>;
  /** After the server ended this session: clears the person here and in the other tabs. */
  readonly forget: () => Promise<void>;
  /** Asks again who is signed in, after `unreachable`. */
  readonly restore: () => Promise<void>;
  /** Reads the profile again after a change and returns it. If that fails, the old one stays. */
  readonly reloadProfile: () => Promise<Profile | undefined>;
};

type Message =
  | { readonly kind: "signed-in"; readonly uid: string }
  | { readonly kind: "signed-out" };

const SessionContext = createContext<Session | undefined>(undefined);

async function fetchProfile(): Promise<Profile> {
  return (await read("/auth/me", userResponse)).value;
}

async function restoredState(): Promise<SessionState> {
  try {
    return (await idToken()) === undefined
      ? { status: "signed-out", chosen: false }
      : { status: "signed-in", profile: await fetchProfile() };
  } catch {
    return { status: "unreachable" };
  }
}

let stateAtStart: SessionState = { status: "loading" };

async function restoreAtStart(): Promise<void> {
  stateAtStart = await restoredState();
}

/** Asked once, as soon as the script runs. The app starts when it is known, in place of the page that was served. */
export const sessionRestored = restoreAtStart();

function isEnded(): boolean {
  return sessionHint.read() === "closed";
}

/** Notifies the other tabs and listens to them. */
const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel("session") : undefined;

function tellOtherTabs(message: Message): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel only reaches its own origin
  channel?.postMessage(message);
}

/** Signs out and switches the person together with the browser's other tabs. */
function useOtherTabs(uid: string | undefined, leave: (chosen: boolean) => Promise<void>): void {
  useEffect(() => {
    function hear({ data }: MessageEvent<Message>): void {
      if (data.kind === "signed-out") {
        void leave(true);
      } else if (data.uid !== uid) {
        // Somebody signed in with another tab of this browser: start again as that person.
        location.reload();
      }
    }
    channel?.addEventListener("message", hear);
    return () => channel?.removeEventListener("message", hear);
  }, [leave, uid]);

  useEffect(() => {
    // A suspended tab receives no messages, so it also checks the browser's storage when it wakes up.
    function look(): void {
      if (uid !== undefined && document.visibilityState === "visible" && isEnded()) {
        void leave(true);
      }
    }
    document.addEventListener("visibilitychange", look);
    addEventListener("pageshow", look);
    return () => {
      document.removeEventListener("visibilitychange", look);
      removeEventListener("pageshow", look);
    };
  }, [leave, uid]);
}

export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const [state, setState] = useState<SessionState>(stateAtStart);
  const { mutate } = useSWRConfig();
  const uid = state.status === "signed-in" ? state.profile.uid : undefined;

  const actions = useMemo(() => {
    async function forgetPerson(): Promise<void> {
      forgetFirstReads();
      forgetPosition();
      await mutate(() => true, undefined, { revalidate: false });
    }
    async function enter(response: Response): Promise<void> {
      const { uid } = await adoptToken(response);
      await forgetPerson();
      setState({ status: "signed-in", profile: await fetchProfile() });
      tellOtherTabs({ kind: "signed-in", uid });
    }
    async function leave(chosen: boolean): Promise<void> {
      dropToken();
      setState({ status: "signed-out", chosen });
      await forgetPerson();
    }
    async function forget(): Promise<void> {
      await leave(true);
      tellOtherTabs({ kind: "signed-out" });
    }
    return {
      leave,
      signIn: async (input: SignInRequest) => enter(await postInTurn("sign-in", input)),
      signUp: async (input: SignUpRequest) => enter(await postInTurn("sign-up", input)),
      signInWithGoogle: async (input: GoogleRequest) => enter(await postInTurn("google", input)),
      signInWithPasskey: async () => {
        const { answerOfPasskey } = await import("./passkeys.ts");
        await enter(
          await postInTurn("passkey", { passkey: await answerOfPasskey("passkey/start", {}) }),
        );
      },
      signInWithToken: async (token: string) => enter(await postInTurn("custom-token", { token })),
      async signOut() {
        await postInTurn("sign-out", {}).catch(() => undefined);
        await forget();
      },
      forget,
      async restore() {
        setState(await restoredState());
      },
      async reloadProfile() {
        const profile = await fetchProfile().catch(() => undefined);
        if (profile !== undefined) {
          setState((before) =>
            before.status === "signed-in" && before.profile.uid === profile.uid
              ? { status: "signed-in", profile }
              : before,
          );
        }
        return profile;
      },
    };
  }, [mutate]);

  useEffect(() => {
    // Where the app did not wait for it.
    void sessionRestored.then(() =>
      setState((now) => (now.status === "loading" ? stateAtStart : now)),
    );
    whenSignedOut(() => void actions.leave(false));
    whenForbidden(() => void actions.reloadProfile());
  }, [actions]);

  useOtherTabs(uid, actions.leave);
  useEffect(() => (uid === undefined ? undefined : followLedger()), [uid]);

  const session = useMemo(() => ({ state, ...actions }), [state, actions]);
  return <SessionContext value={session}>{children}</SessionContext>;
}

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) {
    throw new Error("useSession needs a SessionProvider above it");
  }
  return session;
}

/** The signed-in person; only below a protected route. */
export function useProfile(): Profile {
  const { state } = useSession();
  if (state.status !== "signed-in") {
    throw new Error("useProfile needs a protected route above it");
  }
  return state.profile;
}
