// /login: signs in, signs up or asks for a password reset; goes back to the page that was asked for.
import { useEffect, useState } from "react";
import { Navigate, useLocation, useNavigate, useSearchParams } from "react-router-dom";
import { useAction } from "#web/lib/action.ts";
import { noErrors, hasErrors, type FieldErrors } from "#web/lib/form-errors.ts";
import { useSession } from "#web/lib/session.tsx";
import { returnPath } from "#web/paths.ts";
import { Brand } from "#web/ui/brand.tsx";
import { UnreachableScreen } from "#web/ui/unreachable-screen.tsx";
import { useTitle } from "#web/ui/use-title.ts";
import { ThemeSwitch } from "#web/ui/top-bar.tsx";
import { LoginForm } from "./login-form.tsx";
import { SetupForm } from "./setup-form.tsx";
import {
  draftErrors,
  refusalErrors,
  requestPasswordReset,
  setupTokenIn,
  signUpOf,
  type LoginDraft,
  type LoginMode,
} from "./login-api.ts";

const emptyDraft: LoginDraft = { email: "", password: "", displayName: "" };

const titles: Record<LoginMode, string> = {
  signin: "Sign in to continue",
  signup: "Create your account",
  reset: "Reset your password",
};

/** What the form shows and does, in whichever mode. */
function useLogin() {
  const { signIn, signUp } = useSession();
  const [mode, setMode] = useState<LoginMode>("signin");
  const [draft, setDraft] = useState(emptyDraft);
  const [ownErrors, setOwnErrors] = useState<FieldErrors>(noErrors);
  const [hasSent, setSent] = useState(false);
  const action = useAction(async (input: LoginDraft) => {
    if (mode === "signin") {
      return signIn({ email: input.email, password: input.password });
    }
    if (mode === "signup") {
      return signUp(signUpOf(input));
    }
    await requestPasswordReset(input.email);
    setSent(true);
    setDraft(emptyDraft);
  });

  return {
    mode,
    draft,
    hasSent,
    ownErrors,
    error: action.error,
    isBusy: action.isBusy,
    /** The typed e-mail address survives; the password does not go where it is not asked for. */
    switchTo(next: LoginMode) {
      setMode(next);
      setOwnErrors(noErrors);
      setSent(false);
      action.clearError();
      setDraft({ ...draft, password: "" });
    },
    change(changes: Partial<LoginDraft>) {
      setDraft({ ...draft, ...changes });
    },
    submit() {
      setSent(false);
      const found = draftErrors(mode, draft);
      setOwnErrors(found);
      if (!hasErrors(found)) {
        void action.run(draft);
      }
    },
  };
}

/** The set-up link's token, taken out of the address bar at once. */
function useSetupToken(): string | undefined {
  const { hash, pathname } = useLocation();
  const navigate = useNavigate();
  const [token] = useState(() => setupTokenIn(hash));
  useEffect(() => {
    if (setupTokenIn(hash) !== undefined) {
      void navigate(pathname, { replace: true });
    }
  }, [hash, pathname, navigate]);
  return token;
}

export function LoginScreen() {
  const { state } = useSession();
  const [params] = useSearchParams();
  const setupToken = useSetupToken();
  const login = useLogin();
  const title = titles[login.mode];
  useTitle(title);
  if (state.status === "signed-in" && setupToken === undefined) {
    return <Navigate to={returnPath(params.get("from"))} replace />;
  }
  if (state.status === "unreachable") {
    return <UnreachableScreen />;
  }
  const refusal = refusalErrors(login.error);
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex items-center justify-between px-6 py-3 max-sm:px-4">
        <Brand />
        <ThemeSwitch />
      </header>
      <main
        // Until it is known that nobody is signed in, the form is there but not shown: no flicker on the way to the dashboard.
        className={`mx-auto w-full max-w-100 grow px-4 pt-[12dvh] pb-12 max-sm:pt-6 ${state.status === "loading" ? "invisible" : ""}`}
      >
        <div className="flex flex-col gap-6 rounded-dialog border border-border bg-surface p-8 max-sm:border-0 max-sm:bg-transparent max-sm:p-0">
          {state.status === "signed-in" && setupToken !== undefined ? (
            <SetupForm profile={state.profile} token={setupToken} />
          ) : (
            <>
              <div className="flex flex-col gap-1">
                <h1 className="text-24 font-semibold">{title}</h1>
                {setupToken === undefined ? null : (
                  <p className="text-muted">Then you can become the store's first admin.</p>
                )}
              </div>
              <LoginForm
                key={login.mode}
                {...login}
                errors={hasErrors(login.ownErrors) ? login.ownErrors : refusal}
                failure={hasErrors(refusal) ? undefined : login.error?.message}
              />
            </>
          )}
        </div>
      </main>
    </div>
  );
}
