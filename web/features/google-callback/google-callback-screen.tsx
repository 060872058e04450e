// /google-callback, in the pop-up: passes Google's answer to the page that opened it, and closes.
import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import {
  googleCallbackMessage,
  googleSignInChannel,
  type GoogleCallbackMessage,
} from "#features/sign-in/contract-google.ts";
import { useTitle } from "#web/ui/use-title.ts";

/** What the address says; undefined if it is not an answer from Google. */
function messageIn(search: string): GoogleCallbackMessage | undefined {
  const message = googleCallbackMessage.safeParse(Object.fromEntries(new URLSearchParams(search)));
  return message.success ? message.data : undefined;
}

export function GoogleCallbackScreen() {
  useTitle("Sign in with Google");
  const { search, pathname } = useLocation();
  const navigate = useNavigate();
  const [message] = useState(() => messageIn(search));
  useEffect(() => {
    void navigate(pathname, { replace: true });
    if (message !== undefined) {
      const channel = new BroadcastChannel(googleSignInChannel);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel only reaches its own origin
      channel.postMessage(message);
      channel.close();
      window.close();
    }
  }, [message, navigate, pathname]);
  return (
    <main className="flex min-h-dvh items-center justify-center p-4 text-center text-muted">
      <p>
        {message === undefined
          ? "There is nothing to do here. You can close this window."
          : "You can close this window and continue in the other one."}
      </p>
    </main>
  );
}
