// The profile's first card: name, username, email and role.
import { useState } from "react";
import { Link } from "react-router-dom";
import { useByTheClock } from "#web/lib/by-the-clock.ts";
import { useAccount } from "#web/shared/account/account-api.ts";
import { useProfile, type Profile } from "#web/shared/account/session.tsx";
import { paths } from "#web/paths.ts";
import { Chip } from "#web/ui/chip.tsx";
import { DateTime } from "#web/ui/date-time.tsx";
import { FactList } from "#web/ui/fact-list.tsx";
import { onDemand } from "#web/ui/on-demand.tsx";
import { TextButton } from "#web/ui/text-button.tsx";
import { Unknown } from "#web/ui/unknown.tsx";
import { Section } from "./section.tsx";

const UsernameDialog = onDemand(() =>
  import("#web/shared/account/username-dialog.tsx").then((file) => file.UsernameDialog),
);

/** How soon a link that was opened on another device is noticed. */
const LOOK_EVERY_MS = 5_000;

/** The own email as it is now: the link that verifies it is often opened in another tab, or on a phone. */
function Email({ profile }: { readonly profile: Profile }) {
  const account = useAccount();
  const { email, emailVerified: isVerified } = account.data ?? profile;
  useByTheClock(account, isVerified || email === null ? undefined : LOOK_EVERY_MS);
  if (email === null) {
    return <Unknown reason="no email address" />;
  }
  return (
    <span className="flex flex-wrap items-center gap-2">
      <span className="min-w-0 wrap-anywhere">{email}</span>
      {isVerified ? <Chip kind="done">Verified</Chip> : <Chip kind="pending">Not verified</Chip>}
      {isVerified ? null : (
        <Link to={paths.verifyEmail} className="text-accent hover:underline">
          Verify
        </Link>
      )}
    </span>
  );
}

export function AccountSection() {
  const profile = useProfile();
  const [isNaming, setNaming] = useState(false);
  return (
    <Section title="Account">
      <FactList
        facts={[
          { label: "Name", value: profile.displayName || <Unknown reason="no name" /> },
          {
            label: "Username",
            value: (
              <span className="flex flex-wrap items-center gap-2">
                {profile.username ?? <Unknown reason="no username" />}
                <TextButton
                  onPointerEnter={UsernameDialog.preload}
                  onFocus={UsernameDialog.preload}
                  onClick={() => setNaming(true)}
                  aria-label={
                    profile.username === null ? "Choose a username" : "Change the username"
                  }
                >
                  {profile.username === null ? "Choose" : "Change"}
                </TextButton>
              </span>
            ),
          },
          {
            label: "Email",
            value: <Email profile={profile} />,
          },
          { label: "Role", value: profile.role === "admin" ? "Admin" : "Consignor" },
          { label: "Member since", value: <DateTime at={profile.createdAt} show="day" /> },
          {
            label: "User ID",
            value: <span className="font-mono text-12">{profile.uid}</span>,
          },
          ...(profile.migratedFrom === null
            ? []
            : [{ label: "Old account", value: profile.migratedFrom }]),
        ]}
      />
      {isNaming ? (
        <UsernameDialog current={profile.username} onClose={() => setNaming(false)} />
      ) : null}
    </Section>
  );
}
