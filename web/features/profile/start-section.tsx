// Where an admin starts after signing in, also on other devices: the choice is stored with the person.
import { useRef, useState } from "react";
import type { UserResponse } from "#features/users/contract.ts";
import { useAction } from "#web/lib/action.ts";
import { useProfile, useSession } from "#web/shared/account/session.tsx";
import { ChoiceGroup } from "#web/ui/choice-group.tsx";
import { updateOwnProfile } from "./profile-api.ts";
import { Section } from "./section.tsx";

type LandsOn = UserResponse["landsOn"];

const screens = [
  { value: "dashboard", label: "My Dashboard" },
  { value: "today", label: "Today" },
] as const;

export function StartSection() {
  const { landsOn } = useProfile();
  const { reloadProfile } = useSession();
  // Shows the choice at once. The stored one replaces it when the answer arrives.
  const [wanted, setWanted] = useState<LandsOn>();
  const action = useAction(async (chosen: LandsOn, key: string) => {
    await updateOwnProfile({ landsOn: chosen }, key);
    await reloadProfile();
  });
  // Another choice while one is on its way is sent after it.
  const last = useRef<LandsOn>(undefined);
  async function choose(chosen: LandsOn): Promise<void> {
    setWanted(chosen);
    const isSending = last.current !== undefined;
    last.current = chosen;
    if (isSending) {
      return;
    }
    let sent: LandsOn | undefined;
    while (last.current !== sent) {
      sent = last.current;
      await action.run(sent);
    }
    last.current = undefined;
    setWanted(undefined);
  }
  return (
    <Section title="Start screen" description="What opens after you sign in, on every device.">
      <ChoiceGroup<LandsOn>
        label="After signing in"
        value={wanted ?? landsOn}
        onValue={(chosen) => void choose(chosen)}
        choices={screens}
        error={action.error === undefined ? undefined : `Error saving: ${action.error.message}`}
      />
    </Section>
  );
}
