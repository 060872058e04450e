// Notifications through Discord: the Discord ID and the toggle. Neither affects how the person signs in.
import { useState } from "react";
import { useAction } from "#web/lib/action.ts";
import { useProfile, useSession } from "#web/shared/account/session.tsx";
import { useSubmission } from "#web/lib/submission.ts";
import { Button } from "#web/ui/button.tsx";
import { DateTime } from "#web/ui/date-time.tsx";
import { ErrorLine } from "#web/ui/error-line.tsx";
import { Field } from "#web/ui/field.tsx";
import { Form } from "#web/ui/form.tsx";
import { Switch } from "./switch.tsx";
import { TextInput } from "#web/ui/text-input.tsx";
import { showToast } from "#web/ui/toast.ts";
import { DiscordDelivery } from "./discord-delivery.tsx";
import { discordErrors, discordOf, updateOwnProfile } from "./profile-api.ts";
import { Section } from "./section.tsx";

function DiscordId() {
  const { discord } = useProfile();
  const { reloadProfile } = useSession();
  const held = discord?.id ?? "";
  const [typed, setTyped] = useState(held);
  const submission = useSubmission(updateOwnProfile);
  const { errors, error, isBusy } = submission;

  async function save(): Promise<void> {
    const saved = await submission.submit(discordErrors(typed), discordOf(typed));
    if (saved !== undefined) {
      await reloadProfile();
      showToast(saved.discord === null ? "Discord ID removed" : "Discord ID saved");
    }
  }

  return (
    <Form onSubmit={() => void save()} errors={errors} className="flex flex-col gap-2">
      <Field
        label="Discord ID"
        error={errors["discord.id"] ?? errors["discord"]}
        help={
          discord !== null && typed === held && discord.username !== null ? (
            <>
              {discord.username}
              {discord.linkedAt === null ? null : (
                <>
                  , linked <DateTime at={discord.linkedAt} show="day" />
                </>
              )}
            </>
          ) : (
            "In Discord, turn on Settings, Advanced, Developer Mode. Then right-click your name and choose Copy User ID"
          )
        }
      >
        {(control) => (
          <span className="grid grid-cols-[1fr_auto] gap-2">
            <TextInput
              {...control}
              inputMode="numeric"
              autoComplete="off"
              spellCheck={false}
              value={typed}
              onValue={(text) => {
                setTyped(text);
                submission.clear();
              }}
            />
            <Button
              type="submit"
              isBusy={isBusy}
              busyLabel="Saving..."
              disabled={typed.trim() === held}
            >
              Save
            </Button>
          </span>
        )}
      </Field>
      <ErrorLine>{error === undefined ? undefined : `Error saving: ${error.message}`}</ErrorLine>
    </Form>
  );
}

function Toggle() {
  const { discord, discordNotificationsEnabled } = useProfile();
  const { reloadProfile } = useSession();
  // Shows the requested value at once. The stored one replaces it when the answer arrives.
  const [wanted, setWanted] = useState<boolean>();
  const action = useAction(async (isOn: boolean, key: string) => {
    await updateOwnProfile({ discordNotificationsEnabled: isOn }, key);
    await reloadProfile();
  });
  async function change(isOn: boolean): Promise<void> {
    setWanted(isOn);
    await action.run(isOn);
    setWanted(undefined);
  }
  return (
    <>
      <Switch
        label="Discord notifications"
        help={
          discord === null
            ? "Add your Discord ID to get them"
            : "Direct messages about your sales, payouts and shipments"
        }
        isOn={wanted ?? discordNotificationsEnabled}
        isDisabled={action.isBusy}
        onChange={(isOn) => void change(isOn)}
      />
      <ErrorLine>
        {action.error === undefined ? undefined : `Error saving: ${action.error.message}`}
      </ErrorLine>
    </>
  );
}

export function DiscordSection() {
  const { discord } = useProfile();
  return (
    <Section
      title="Discord"
      description="Where the store's messages reach you. This never changes how you sign in."
    >
      <DiscordId key={discord?.id ?? ""} />
      <Toggle />
      <DiscordDelivery />
    </Section>
  );
}
