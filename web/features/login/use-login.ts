// The state and actions of the login screen in every mode: the draft, its errors, and every way to sign in.
import { useEffect, useRef, useState } from "react";
import { useAction } from "#web/lib/action.ts";
import type { ApiError } from "#web/lib/api-error.ts";
import { hasErrors, noErrors, type FieldErrors } from "#web/lib/form-errors.ts";
import { randomId } from "#web/lib/random-id.ts";
import { useSession } from "#web/shared/account/session.tsx";
import { showToast } from "#web/ui/toast.ts";
import { googleFailure, openGooglePopup } from "./google-popup.ts";
import {
  draftErrors,
  refusalErrors,
  requestPasswordReset,
  signUpOf,
  type LoginDraft,
  type LoginMode,
} from "#web/shared/account/login-api.ts";

const emptyDraft: LoginDraft = { email: "", password: "", displayName: "" };

export type Login = {
  readonly mode: LoginMode;
  readonly draft: LoginDraft;
  readonly errors: FieldErrors;
  /** An error that belongs to no field. */
  readonly failure: string | undefined;
  /** True after a reset email was sent. */
  readonly hasSent: boolean;
  readonly isBusy: boolean;
  readonly busyProvider: "discord" | "google" | "passkey" | undefined;
  readonly switchTo: (mode: LoginMode) => void;
  readonly change: (changes: Partial<LoginDraft>) => void;
  readonly submit: () => void;
  readonly startDiscord: () => void;
  readonly startGoogle: () => void;
  readonly startPasskey: () => void;
};

/** Email and password in the three modes. */
function useForm(mode: LoginMode, onSent: () => void) {
  const { signIn, signUp } = useSession();
  return useAction(async (input: LoginDraft) => {
    if (mode === "signin") {
      await signIn({ email: input.email, password: input.password });
    } else if (mode === "signup") {
      // Loaded before there is an account, whose owner may leave the page at once.
      const letters = await import("#web/shared/account/account-api.ts").catch(() => undefined);
      await signUp(signUpOf(input));
      // The account exists even if this email fails. The profile can send another.
      void letters?.sendVerification(undefined, randomId()).then(
        () => showToast(`A link to verify your email is on its way to ${input.email.trim()}`),
        () => undefined,
      );
    } else {
      await requestPasswordReset(input.email);
      onSent();
    }
  });
}

/** Discord: the browser goes to Discord's page. */
function useDiscord() {
  return useAction(async (returnPath: string | undefined) => {
    location.assign(
      await import("./discord-start.ts").then((file) => file.discordAuthorizeUrl(returnPath)),
    );
    // The button stays busy until the page unloads. A person who comes back with the browser's back button can try again.
    await new Promise<void>((resolve) => {
      addEventListener("pageshow", () => resolve(), { once: true });
    });
  });
}

/** Google: a pop-up. Everything else stays usable while it is open, because we cannot know when it was closed. */
function useGoogle() {
  const { signInWithGoogle } = useSession();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError>();
  const attempt = useRef<AbortController>(undefined);

  function cancel(): AbortSignal {
    attempt.current?.abort();
    attempt.current = new AbortController();
    setError(undefined);
    return attempt.current.signal;
  }

  async function run(): Promise<void> {
    const signal = cancel();
    try {
      const popup = openGooglePopup();
      const request = await import("./google-sign-in.ts").then(
        (file) => file.googleRequestBy(popup, signal),
        (failed: unknown) => {
          popup.close();
          throw failed;
        },
      );
      if (request !== undefined) {
        setBusy(true);
        await signInWithGoogle(request);
      }
    } catch (thrown) {
      if (!signal.aborted) {
        setError(googleFailure(thrown));
      }
    } finally {
      setBusy(false);
    }
  }

  // Leaving the screen ends the wait.
  useEffect(() => () => attempt.current?.abort(), []);
  return { run, cancel, isBusy, error };
}

/** `returnPath` is where to go after Discord; undefined for the dashboard. */
export function useLogin(firstMode: LoginMode, returnPath: string | undefined): Login {
  const [mode, setMode] = useState(firstMode);
  const [draft, setDraft] = useState(emptyDraft);
  const [ownErrors, setOwnErrors] = useState<FieldErrors>(noErrors);
  const [hasSent, setSent] = useState(false);
  const discord = useDiscord();
  const google = useGoogle();
  const { signInWithPasskey } = useSession();
  const passkey = useAction(signInWithPasskey);
  const form = useForm(mode, draftSent);

  function draftSent(): void {
    setSent(true);
    setDraft(emptyDraft);
  }
  function forgetFailures(): void {
    setSent(false);
    setOwnErrors(noErrors);
    form.clearError();
    discord.clearError();
    passkey.clearError();
    google.cancel();
  }
  const refusal = refusalErrors(form.error);
  const failure =
    google.error ?? discord.error ?? passkey.error ?? (hasErrors(refusal) ? undefined : form.error);

  return {
    mode,
    draft,
    hasSent,
    errors: hasErrors(ownErrors) ? ownErrors : refusal,
    failure: failure?.message,
    isBusy: form.isBusy,
    busyProvider: discord.isBusy
      ? "discord"
      : google.isBusy
        ? "google"
        : passkey.isBusy
          ? "passkey"
          : undefined,
    /** Keeps the typed email when the mode changes. Clears the password in modes that do not ask for it. */
    switchTo(next) {
      forgetFailures();
      setMode(next);
      setDraft({ ...draft, password: "" });
    },
    change: (changes) => setDraft({ ...draft, ...changes }),
    submit() {
      forgetFailures();
      const found = draftErrors(mode, draft);
      setOwnErrors(found);
      if (!hasErrors(found)) {
        void form.run(draft);
      }
    },
    startDiscord() {
      forgetFailures();
      void discord.run(returnPath);
    },
    startPasskey() {
      forgetFailures();
      void passkey.run(undefined);
    },
    startGoogle() {
      forgetFailures();
      void google.run();
    },
  };
}
