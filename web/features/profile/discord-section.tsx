// Notifications through Discord: the Discord ID and the toggle. Neither affects how the person signs in.
import { useState } from "react";
import type { UpdateOwnProfileRequest } from "#features/users/contract-own.ts";
import { useAction } from "#web/lib/action.ts";
import { useProfile, useSession } from "#web/shared/account/session.tsx";
import { useSubmission } from "#web/lib/submission.ts";
import { Button } from "#web/ui/button.tsx";
import { useClosing } from "#web/ui/closing.tsx";
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
import { useTypedOver } from "./typed-over.ts";

function DiscordId() {
  const { discord } = useProfile();
  const { reloadProfile } = useSession();
  const held = discord?.id ?? "";
  const [typed, setTyped] = useTypedOver(held);
  // Busy until the screen has what is saved: until then it would count as typed text that is lost by leaving.
  const submission = useSubmission(async (body: UpdateOwnProfileRequest, key: string) => {
    const saved = await updateOwnProfile(body, key);
    await reloadProfile();
    return saved;
  });
  const { errors, error, isBusy } = submission;
  // Nothing closes here: discarding only leaves the screen.
  const { question } = useClosing(typed.trim() !== held, isBusy, () => setTyped(undefined));

  async function save(): Promise<void> {
    const saved = await submission.submit(discordErrors(typed), discordOf(typed));
    if (saved !== undefined) {
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
      {question}
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
  return (
    <Section
      title="Discord"
      description="Where the store's messages reach you. This never changes how you sign in."
    >
      <DiscordId />
      <Toggle />
      <DiscordDelivery />
    </Section>
  );
}
