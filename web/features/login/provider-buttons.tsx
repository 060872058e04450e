// The other ways to sign in: Discord and Google, each with its logo.
import { Button } from "#web/ui/button.tsx";
import { DiscordIcon, GoogleIcon } from "./provider-icons.ts";

type ProviderButtonsProps = {
  /** The sign-in that is under way. */
  readonly busy: "discord" | "google" | undefined;
  readonly isDisabled: boolean;
  readonly onDiscord: () => void;
  readonly onGoogle: () => void;
};

export function ProviderButtons({ busy, isDisabled, onDiscord, onGoogle }: ProviderButtonsProps) {
  return (
    <div className="flex flex-col gap-2">
      <Button
        icon={DiscordIcon}
        onClick={onDiscord}
        isBusy={busy === "discord"}
        disabled={isDisabled}
        className="w-full"
      >
        Sign in with Discord
      </Button>
      <Button
        icon={GoogleIcon}
        onClick={onGoogle}
        isBusy={busy === "google"}
        disabled={isDisabled}
        className="w-full"
      >
        Sign in with Google
      </Button>
      <p className="mt-2 flex items-center gap-3 text-12 text-faint before:h-px before:grow before:bg-border after:h-px after:grow after:bg-border">
        or with your email
      </p>
    </div>
  );
}
