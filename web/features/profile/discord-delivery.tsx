// Whether Discord delivers the store's messages: the account's confirmation, why nothing arrives and what to do about it, and a test message.
import { TriangleAlert } from "lucide-react";
import type { DiscordRefusal } from "#features/notifications/contract.ts";
import { useProfile } from "#web/shared/account/session.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { DiscordConfirmation } from "./discord-confirmation.tsx";
import { useNotificationSettings } from "./notifications-api.ts";
import { TestMessage } from "./test-message.tsx";

const refusals: Readonly<Record<DiscordRefusal, { readonly what: string; readonly fix: string }>> =
  {
    closed: {
      what: "Discord did not deliver the last message: your direct messages are closed.",
      fix: "In Discord, open the menu of the server that you share with the store, choose Privacy Settings, and turn Direct Messages on. Then send a test message.",
    },
    "no-shared-server": {
      what: "Discord did not deliver the last message: you share no server with the store's bot.",
      fix: "Join the store's Discord server. Then send a test message.",
    },
    "unknown-account": {
      what: "Discord has no account with this ID.",
      fix: "Correct the Discord ID above. Then send a test message.",
    },
    "not-reached": {
      what: "Discord did not deliver the last message.",
      fix: "Check the Discord ID above, join the store's Discord server, and turn Direct Messages on in the server's Privacy Settings. Then have the code sent again.",
    },
  };

export function DiscordDelivery() {
  const { discord, discordNotificationsEnabled } = useProfile();
  const { data, refresh } = useNotificationSettings();
  if (data === undefined) {
    return null;
  }
  const { isAvailable, isStopped, refused, confirmation, test } = data.discord;
  if (!isAvailable) {
    return <p className="text-muted">This store does not send Discord messages yet.</p>;
  }
  const refusal = refused === null ? undefined : refusals[refused];
  return (
    <>
      {refusal === undefined || discord === null ? null : (
        <output className="flex items-start gap-2 rounded-control bg-pending-tint px-3 py-2">
          <Icon of={TriangleAlert} className="mt-0.5 text-pending" />
          <span className="flex min-w-0 flex-col gap-1">
            <span className="font-medium">{refusal.what}</span>
            <span>{refusal.fix}</span>
          </span>
        </output>
      )}
      <DiscordConfirmation discord={data.discord} onChanged={refresh} />
      {isStopped ? (
        <output className="text-muted">
          The store&apos;s bot cannot send at the moment. Your messages wait.
        </output>
      ) : null}
      <TestMessage
        channel="discord"
        label="Send a test message"
        test={test}
        isDisabled={confirmation !== "confirmed" || !discordNotificationsEnabled}
        onSent={refresh}
      />
    </>
  );
}
