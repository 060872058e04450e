// /discord-success: completes the sign-in that Discord's callback started. Each failure returns to /login after 3 seconds.
import { useEffect, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { messages } from "#features/sign-in/contract.ts";
import { useSession } from "#web/shared/account/session.tsx";
import { paths } from "#web/paths.ts";
import { ButtonLink } from "#web/ui/button-link.tsx";
import { EntryPage } from "#web/ui/entry-page.tsx";
import { ErrorLine } from "#web/ui/error-line.tsx";
import { useTitle } from "#web/ui/use-title.ts";
import { arrivalIn } from "./arrival.ts";

const returnAfterMs = 3000;

export function DiscordSuccessScreen() {
  useTitle("Sign in with Discord");
  const { signInWithToken } = useSession();
  const { search, pathname } = useLocation();
  const navigate = useNavigate();
  const [arrival] = useState(() => arrivalIn(search));
  const [failure, setFailure] = useState(arrival.kind === "failed" ? arrival.message : undefined);
  // The token works once, so it is sent once.
  const isSent = useRef(false);

  useEffect(() => {
    if (isSent.current) {
      return;
    }
    isSent.current = true;
    // Removes the token from the address bar and the history.
    void navigate(pathname, { replace: true });
    if (arrival.kind === "token") {
      signInWithToken(arrival.token).then(
        () => navigate(arrival.next, { replace: true }),
        () => setFailure(messages.discordNotCompleted),
      );
    }
  }, [arrival, navigate, pathname, signInWithToken]);

  useEffect(() => {
    if (failure === undefined) {
      return undefined;
    }
    const timer = setTimeout(() => void navigate(paths.login, { replace: true }), returnAfterMs);
    return () => clearTimeout(timer);
  }, [failure, navigate]);

  return (
    <EntryPage>
      <div className="flex flex-col gap-4">
        <h1 className="text-24 font-semibold">Sign in with Discord</h1>
        <output className="text-muted">
          {failure === undefined ? "Signing in..." : "Returning to sign in..."}
        </output>
        <ErrorLine>{failure}</ErrorLine>
        {failure === undefined ? null : (
          <ButtonLink to={paths.login} replace>
            Back to sign in
          </ButtonLink>
        )}
      </div>
    </EntryPage>
  );
}
