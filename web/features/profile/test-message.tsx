// A button that sends the person a test message, and what became of it.
import { CircleCheck, Clock, OctagonAlert, Send } from "lucide-react";
import type { NotificationSettings } from "#features/notifications/contract.ts";
import { useAction } from "#web/lib/action.ts";
import { Button } from "#web/ui/button.tsx";
import { DateTime } from "#web/ui/date-time.tsx";
import { ErrorLine } from "#web/ui/error-line.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { sendTest } from "./notifications-api.ts";

type TestMessageProps = {
  readonly channel: "discord" | "email";
  readonly label: string;
  readonly test: NotificationSettings["email"]["test"];
  readonly isDisabled: boolean;
  readonly onSent: () => void;
};

const looks = {
  waiting: { icon: Clock, color: "text-muted", words: "Waits to be sent" },
  sent: { icon: CircleCheck, color: "text-credit", words: "Test message sent" },
  failed: { icon: OctagonAlert, color: "text-danger", words: "The test message did not arrive" },
} as const;

export function TestMessage({ channel, label, test, isDisabled, onSent }: TestMessageProps) {
  const action = useAction(sendTest);
  const look = test === null ? undefined : looks[test.state];

  async function run(): Promise<void> {
    if ((await action.run({ channel })) !== undefined) {
      onSent();
    }
  }

  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button
          icon={Send}
          isBusy={action.isBusy || test?.state === "waiting"}
          busyLabel="Sending..."
          disabled={isDisabled}
          onClick={() => void run()}
        >
          {label}
        </Button>
        <output className={`inline-flex items-center gap-1.5 ${look?.color ?? ""}`}>
          {test === null || look === undefined ? null : (
            <>
              <Icon of={look.icon} />
              {look.words}
              {test.state === "sent" ? (
                <>
                  {" "}
                  <DateTime at={test.at} />
                </>
              ) : null}
            </>
          )}
        </output>
      </div>
      <ErrorLine>
        {action.error === undefined ? undefined : `Error sending: ${action.error.message}`}
      </ErrorLine>
    </div>
  );
}
