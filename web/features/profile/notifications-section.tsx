// Which notifications the person wants, and where: one box for each kind and channel, each saved at once.
import { useState } from "react";
import type { ChooseRequest, NotificationSettings } from "#features/notifications/contract.ts";
import { useProfile } from "#web/shared/account/session.tsx";
import { useAction } from "#web/lib/action.ts";
import { asApiError, type ApiError } from "#web/lib/api-error.ts";
import { Checkbox } from "#web/ui/checkbox.tsx";
import { ErrorLine } from "#web/ui/error-line.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { choose, useNotificationSettings } from "./notifications-api.ts";
import { Section } from "./section.tsx";
import { TestMessage } from "./test-message.tsx";

type Channel = ChooseRequest["channel"];
type Kind = NotificationSettings["kinds"][number];

const channels: readonly { readonly channel: Channel; readonly label: string }[] = [
  { channel: "in-app", label: "App" },
  { channel: "discord", label: "Discord" },
  { channel: "email", label: "Email" },
];

const wordsOf: Readonly<Record<Channel, string>> = {
  "in-app": "in the app",
  discord: "on Discord",
  email: "by email",
};

/** Why no messages go there; undefined if they do. */
function useNoDiscord(settings: NotificationSettings | undefined): string | undefined {
  const { discord, discordNotificationsEnabled } = useProfile();
  if (discord === null || !discordNotificationsEnabled) {
    return "Discord: save your Discord ID above, and turn on Discord notifications.";
  }
  return settings?.discord.isAvailable === true && settings.discord.confirmation !== "confirmed"
    ? "Discord: confirm your Discord account above."
    : undefined;
}

type BoxProps = {
  readonly kind: Kind;
  readonly channel: Channel;
  readonly canReach: boolean;
  /** Called after the choice was saved or refused. */
  readonly onEnd: (error: ApiError | undefined) => void;
};

/** Each has an action of its own, so that one that is being saved does not keep the others from being chosen. */
function Box({ kind: { kind, label, on }, channel, canReach, onEnd }: BoxProps) {
  // Shows the requested value at once. The stored one replaces it when the answer arrives.
  const [wanted, setWanted] = useState<boolean>();
  const action = useAction(async (request: ChooseRequest, key: string) => {
    try {
      await choose(request, key);
      onEnd(undefined);
    } catch (error) {
      onEnd(asApiError(error));
      throw error;
    }
  });
  async function change(isOn: boolean): Promise<void> {
    setWanted(isOn);
    await action.run({ kind, channel, on: isOn });
    setWanted(undefined);
  }
  return (
    <Checkbox
      label={`${label}: tell me ${wordsOf[channel]}`}
      isLabelHidden
      isChecked={(wanted ?? on.includes(channel)) && canReach}
      isDisabled={!canReach || action.isBusy}
      onChecked={(isOn) => void change(isOn)}
    />
  );
}

type BoxesProps = {
  readonly settings: NotificationSettings;
  readonly refresh: () => void;
};

function Boxes({ settings, refresh }: BoxesProps) {
  const noDiscord = useNoDiscord(settings);
  const [error, setError] = useState<ApiError>();
  const end = (last: ApiError | undefined): void => {
    setError(last);
    refresh();
  };
  const canReach: Readonly<Record<Channel, boolean>> = {
    "in-app": true,
    discord: noDiscord === undefined,
    email: settings.email.isAvailable,
  };
  return (
    <>
      <table className="w-full border-collapse">
        <thead>
          <tr className="border-b border-border text-12 text-muted">
            <th scope="col" className="py-2 text-start font-medium">
              Tell me when
            </th>
            {channels.map(({ channel, label }) => (
              <th
                key={channel}
                scope="col"
                className="w-16 py-2 text-center font-medium max-sm:w-14"
              >
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {settings.kinds.map((kind) => (
            <tr key={kind.kind} className="border-b border-border last:border-b-0">
              <th scope="row" className="py-2 pe-2 text-start font-normal">
                {kind.label}
              </th>
              {channels.map(({ channel }) => (
                <td key={channel} className="py-1 text-center align-middle">
                  <Box kind={kind} channel={channel} canReach={canReach[channel]} onEnd={end} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <ErrorLine>{error === undefined ? undefined : `Error saving: ${error.message}`}</ErrorLine>
    </>
  );
}

export function NotificationsSection() {
  const { data, error, refresh } = useNotificationSettings();
  const noDiscord = useNoDiscord(data);
  const closed = [
    ...(noDiscord === undefined ? [] : [noDiscord]),
    ...(data === undefined || data.email.isAvailable
      ? []
      : ["Email: verify your email address first."]),
  ];
  return (
    <Section
      title="Messages you get"
      description="For each kind, choose where you get it. You never get one about what you did yourself."
    >
      {data === undefined ? (
        error === undefined ? (
          <Skeleton className="h-80" />
        ) : (
          <ErrorState
            title="Your notifications could not be loaded"
            error={error}
            onRetry={refresh}
          />
        )
      ) : (
        <>
          <Boxes settings={data} refresh={refresh} />
          {closed.length === 0 ? null : <p className="text-12 text-muted">{closed.join(" ")}</p>}
          <TestMessage
            channel="email"
            label="Send a test email"
            test={data.email.test}
            isDisabled={!data.email.isAvailable}
            onSent={refresh}
          />
        </>
      )}
    </Section>
  );
}
