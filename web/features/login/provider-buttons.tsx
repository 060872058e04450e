// The other ways to sign in: Discord and Google, each with its logo, and a passkey.
import { KeyRound } from "lucide-react";
import { Button } from "#web/ui/button.tsx";
import { DiscordIcon, GoogleIcon } from "./provider-icons.ts";

type ProviderButtonsProps = {
  /** The sign-in that is under way. */
  readonly busy: "discord" | "google" | "passkey" | undefined;
  readonly isDisabled: boolean;
  readonly onDiscord: () => void;
  readonly onGoogle: () => void;
  readonly onPasskey: () => void;
};

/** Browsers allow passkeys for names only, not for numbers such as 127.0.0.1. */
const hasPasskeys = "PublicKeyCredential" in globalThis && !/^[\d.]+$|:/.test(location.hostname);

export function ProviderButtons({ busy, isDisabled, ...on }: ProviderButtonsProps) {
  return (
    <div className="flex flex-col gap-2">
      <Button
        icon={DiscordIcon}
        onClick={on.onDiscord}
        isBusy={busy === "discord"}
        disabled={isDisabled}
        className="w-full"
      >
        Sign in with Discord
      </Button>
      <Button
        icon={GoogleIcon}
        onClick={on.onGoogle}
        isBusy={busy === "google"}
        disabled={isDisabled}
        className="w-full"
      >
        Sign in with Google
      </Button>
      {hasPasskeys ? (
        <Button
          icon={KeyRound}
          onClick={on.onPasskey}
          isBusy={busy === "passkey"}
          disabled={isDisabled}
          className="w-full"
        >
          Sign in with a passkey
        </Button>
      ) : null}
      <p className="mt-2 flex items-center gap-3 text-12 text-faint before:h-px before:grow before:bg-border after:h-px after:grow after:bg-border">
        or with your email
      </p>
    </div>
  );
}
