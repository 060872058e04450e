// /profile: account, sign-in, notifications, payout handles, and the person's stored data.
import { Download } from "lucide-react";
import { useAction } from "#web/lib/action.ts";
import { AdminButton } from "#web/shared/account/admin-button.tsx";
import { useProfile } from "#web/shared/account/session.tsx";
import { useTheme, type Theme } from "#web/lib/theme.ts";
import { Button } from "#web/ui/button.tsx";
import { ChoiceGroup } from "#web/ui/choice-group.tsx";
import { ErrorLine } from "#web/ui/error-line.tsx";
import { onDemand } from "#web/ui/on-demand.tsx";
import { Page } from "#web/ui/page.tsx";
import { AccountSection } from "./account-section.tsx";
import { DiscordSection } from "./discord-section.tsx";
import { NotificationsSection } from "./notifications-section.tsx";
import { HandlesSection } from "./handles-section.tsx";
import { downloadOwnData } from "./profile-api.ts";
import { Section } from "./section.tsx";
import { SessionsSection } from "./sessions-section.tsx";
import { SignInSection } from "./sign-in-section.tsx";
import { StartSection } from "./start-section.tsx";

const ActivitySection = onDemand(
  () => import("./activity-section.tsx").then((file) => file.ActivitySection),
  { ifMissing: "fallback" },
);

const themes = [
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
] as const;

function ThemeSection() {
  const [theme, setTheme] = useTheme();
  return (
    <Section title="Appearance">
      <ChoiceGroup<Theme> label="Theme" value={theme} onValue={setTheme} choices={themes} />
    </Section>
  );
}

function DataSection() {
  const action = useAction(downloadOwnData);
  return (
    <Section
      title="Your data"
      description="Everything the store keeps about you, your items, sales and payouts, as one JSON file."
    >
      <ErrorLine>
        {action.error === undefined ? undefined : `Error downloading: ${action.error.message}`}
      </ErrorLine>
      <span className="flex flex-col sm:items-start">
        <Button
          icon={Download}
          isBusy={action.isBusy}
          busyLabel="Preparing..."
          onClick={() => void action.run(undefined)}
        >
          Download your data
        </Button>
      </span>
    </Section>
  );
}

export function ProfileScreen() {
  const { role } = useProfile();
  return (
    <Page title="Profile" actions={<AdminButton />}>
      <div className="grid grid-cols-2 items-start gap-4 max-lg:grid-cols-1 max-sm:gap-2">
        <div className="flex flex-col gap-4 max-sm:gap-2">
          <AccountSection />
          <SignInSection />
          <SessionsSection />
          <ActivitySection />
        </div>
        <div className="flex flex-col gap-4 max-sm:gap-2">
          <DiscordSection />
          <NotificationsSection />
          <HandlesSection />
          {role === "admin" ? <StartSection /> : null}
          <ThemeSection />
          <DataSection />
        </div>
      </div>
    </Page>
  );
}
