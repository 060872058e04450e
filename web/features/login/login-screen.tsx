// /login: signs in, signs up or requests a password reset, then returns to the page that was asked for.
import { useEffect, useRef } from "react";
import { Navigate, useSearchParams } from "react-router-dom";
import { useLinkToken } from "#web/lib/link-token.ts";
import { useSession } from "#web/shared/account/session.tsx";
import { afterSignIn, paths, returnPath, startPath } from "#web/paths.ts";
import { EntryPage } from "#web/ui/entry-page.tsx";
import { UnreachableScreen } from "#web/shared/account/unreachable-screen.tsx";
import { onDemand } from "#web/ui/on-demand.tsx";
import { useTitle } from "#web/ui/use-title.ts";
import { LoginForm } from "./login-form.tsx";
import { loginModes, type LoginMode } from "#web/shared/account/login-api.ts";
import { ProviderButtons } from "./provider-buttons.tsx";
import { useLogin } from "./use-login.ts";

const SetupForm = onDemand(() => import("./setup-form.tsx").then((file) => file.SetupForm), {
  ifMissing: "throw",
});

const titles: Record<LoginMode, string> = {
  signin: "Sign in to continue",
  signup: "Create your account",
  reset: "Reset your password",
};

/** Moves the focus to the first empty field when the person changes the mode. */
function useFocusOnChange(mode: LoginMode) {
  const ref = useRef<HTMLDivElement>(null);
  const shown = useRef(mode);
  useEffect(() => {
    if (shown.current !== mode) {
      shown.current = mode;
      const fields = ref.current?.querySelectorAll<HTMLInputElement>("form input");
      [...(fields ?? [])].find((field) => field.name !== "name" && field.value === "")?.focus();
    }
  }, [mode]);
  return ref;
}

type EntranceProps = {
  readonly firstMode: LoginMode;
  /** Where to go after Discord; undefined for the dashboard. */
  readonly asked: string | undefined;
  readonly isSettingUp: boolean;
};

function Entrance({ firstMode, asked, isSettingUp }: EntranceProps) {
  const login = useLogin(firstMode, asked);
  const ref = useFocusOnChange(login.mode);
  useTitle(titles[login.mode]);
  return (
    <div ref={ref} className="flex flex-col gap-6">
      <div className="flex flex-col gap-1">
        <h1 className="text-24 font-semibold">{titles[login.mode]}</h1>
        {isSettingUp ? (
          <p className="text-muted">Then you can become the store's first admin.</p>
        ) : null}
      </div>
      {login.mode === "reset" ? null : (
        <ProviderButtons
          busy={login.busyProvider}
          isDisabled={login.isBusy}
          onDiscord={login.startDiscord}
          onGoogle={login.startGoogle}
          onPasskey={login.startPasskey}
        />
      )}
      <LoginForm key={login.mode} {...login} />
    </div>
  );
}

export function LoginScreen() {
  const { state } = useSession();
  const [params] = useSearchParams();
  const setup = useLinkToken("setup", "setup-token");
  const asked = returnPath(params.get("from"));
  if (state.status === "signed-in" && setup.token === undefined) {
    return <Navigate to={asked === afterSignIn ? startPath(state.profile) : asked} replace />;
  }
  if (state.status === "unreachable") {
    return <UnreachableScreen />;
  }
  const afterDiscord = asked === afterSignIn ? undefined : asked;
  return (
    // While the session is loading, the form is rendered but hidden, so that it does not flicker on the way to the dashboard.
    <EntryPage isHidden={state.status === "loading"}>
      {state.status === "signed-in" && setup.token !== undefined ? (
        <SetupForm
          profile={state.profile}
          token={setup.token}
          onUsed={setup.spend}
          onForget={setup.forget}
        />
      ) : (
        <Entrance
          // The set-up link of an empty store, in which nobody has an account yet.
          firstMode={
            loginModes.find((mode) => mode === params.get("mode")) ??
            (setup.token === undefined ? "signin" : "signup")
          }
          asked={setup.token === undefined ? afterDiscord : paths.login}
          isSettingUp={setup.token !== undefined}
        />
      )}
    </EntryPage>
  );
}
