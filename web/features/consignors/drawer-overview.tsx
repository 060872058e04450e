// A person at a glance: balance, account, and contact details.
import type { ReactNode } from "react";
import type { ExplainedNumber } from "#features/accounts/contract-explain.ts";
import type { UserResponse } from "#features/users/contract.ts";
import { toCents } from "#ledger/money.ts";
import { formatCount } from "#web/lib/formats.ts";
import { useWhyPath, type Why } from "#web/shared/explain/why.ts";
import { WhyValue } from "#web/shared/explain/why-value.tsx";
import { agreedShareOf, useSellingTerms } from "#web/shared/sale/selling-terms.ts";
import { usePaymentInfo } from "#web/shared/payout/payment-info.ts";
import { AuditLink } from "#web/shared/audit/audit-link.tsx";
import { ButtonLink } from "#web/ui/button-link.tsx";
import { Button } from "#web/ui/button.tsx";
import { Chip } from "#web/ui/chip.tsx";
import { CopyButton } from "#web/ui/copy-button.tsx";
import { DateTime } from "#web/ui/date-time.tsx";
import { FactList } from "#web/ui/fact-list.tsx";
import { HeldNotice } from "#web/ui/freshness-line.tsx";
import { Money } from "#web/ui/money.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { TextButton } from "#web/ui/text-button.tsx";
import { Unknown } from "#web/ui/unknown.tsx";
import { useUserSummary } from "./consignors-api.ts";
import { DrawerHolds } from "./drawer-holds.tsx";
import { DrawerInvitation } from "./drawer-invitation.tsx";
import { DrawerLatest } from "./drawer-latest.tsx";
import { DrawerPayouts } from "./drawer-payouts.tsx";
import { DrawerSettled } from "./drawer-settled.tsx";

type DrawerOverviewProps = {
  readonly user: UserResponse;
  readonly name: string;
  readonly onAdjust: () => void;
  readonly onAgreeShare: () => void;
};

function Email({ email, emailVerified }: Pick<UserResponse, "email" | "emailVerified">) {
  return email === null ? (
    <Unknown reason="no email address" />
  ) : (
    <span className="flex flex-wrap items-center gap-2">
      <a href={`mailto:${email}`} className="wrap-anywhere text-accent hover:underline">
        {email}
      </a>
      {emailVerified ? null : <Chip kind="pending">Not verified</Chip>}
    </span>
  );
}

function discordText({ discord, discordNotificationsEnabled }: UserResponse) {
  if (discord === null) {
    return <Unknown reason="not linked" />;
  }
  const name = discord.username === null ? discord.id : `${discord.username} (${discord.id})`;
  return `${name}, notifications ${discordNotificationsEnabled ? "on" : "off"}`;
}

/** The handles that were used last: "$avery, CashApp". */
function Handles({ uid }: { readonly uid: string }) {
  const { data, error } = usePaymentInfo(uid);
  if (data === undefined) {
    return error === undefined ? (
      <Skeleton className="h-4 w-16" />
    ) : (
      <Unknown reason="it could not be loaded" />
    );
  }
  const { cashtag, venmoUsername } = data;
  const used = [
    ...(cashtag === null ? [] : [{ handle: cashtag, method: "CashApp" }]),
    ...(venmoUsername === null ? [] : [{ handle: venmoUsername, method: "Venmo" }]),
  ];
  return used.length === 0 ? (
    <Unknown reason="no payout requested yet" />
  ) : (
    <span className="flex flex-col gap-1">
      {used.map(({ handle, method }) => (
        <span key={method} className="-my-1 flex flex-wrap items-center gap-1">
          {`${handle}, ${method}`}
          <CopyButton text={handle} label={`Copy the ${method} handle`} />
        </span>
      ))}
    </span>
  );
}

/** "60%, agreed", or the store's default; with the way to change it. */
function Share({ user, onAgreeShare }: Pick<DrawerOverviewProps, "user" | "onAgreeShare">) {
  const { data: terms, error } = useSellingTerms();
  if (terms === undefined) {
    return error === undefined ? (
      <Skeleton className="h-4 w-16" />
    ) : (
      <Unknown reason="it could not be loaded" />
    );
  }
  const agreed = agreedShareOf(terms, user.uid);
  return (
    <span className="flex flex-wrap items-center gap-2">
      {agreed === undefined
        ? `${terms.defaultConsignorPercentage}%, the store's default`
        : `${agreed}%, agreed`}
      {user.deactivated ? null : (
        <TextButton onClick={onAgreeShare} aria-label="Change the consignor share">
          Change
        </TextButton>
      )}
    </span>
  );
}

export function DrawerOverview({ user, name, onAdjust, onAgreeShare }: DrawerOverviewProps) {
  const { data: summary, freshness } = useUserSummary(user.uid);
  const pathTo = useWhyPath();
  const why = (number: ExplainedNumber): Why => ({ kind: "number", number, uid: user.uid });
  // What was sold and paid there is not in these numbers.
  const since = user.migratedFrom === null ? "" : " since the old app";
  const pending = <Skeleton className="h-4 w-16" />;
  const explained = (number: ExplainedNumber, value: ReactNode) =>
    summary === undefined ? pending : <WhyValue why={why(number)}>{value}</WhyValue>;
  return (
    <div className="flex flex-col gap-6">
      <HeldNotice freshness={freshness} />
      {user.deactivated ? null : <DrawerInvitation uid={user.uid} email={user.email} />}
      <DrawerHolds uid={user.uid} />
      <section className="flex flex-col gap-3 rounded-card border border-border p-4">
        <span className="flex flex-wrap items-center justify-between gap-3">
          <span className="flex flex-col gap-1">
            <span className="text-12 font-medium text-muted">Available</span>
            <span className="text-24 font-semibold">
              <Money cents={toCents(summary?.available ?? user.balance)} isBalance />
            </span>
          </span>
          <span className="flex gap-2">
            <ButtonLink to={pathTo(why("available"))}>Why?</ButtonLink>
            {user.deactivated && user.balance === 0 ? null : (
              <Button onClick={onAdjust}>Adjust</Button>
            )}
          </span>
        </span>
        <FactList
          facts={[
            {
              label: "Pending payouts",
              value: explained(
                "pendingPayouts",
                <Money cents={toCents(summary?.inTransit ?? 0)} />,
              ),
            },
            {
              label: "Held for trades",
              value: explained(
                "heldForTrades",
                <Money cents={toCents(summary?.heldForTrades ?? 0)} />,
              ),
            },
            {
              label: `Total paid${since}`,
              value: explained("totalPaid", <Money cents={toCents(summary?.totalPaid ?? 0)} />),
            },
            {
              label: "Active items",
              value: summary === undefined ? pending : formatCount(summary.activeItems),
            },
            {
              label: `Sales${since}`,
              value: explained("sales", formatCount(summary?.salesCount ?? 0)),
            },
          ]}
        />
      </section>
      <DrawerPayouts uid={user.uid} />
      <DrawerSettled user={user} name={name} />
      <DrawerLatest uid={user.uid} />
      <Contact user={user} onAgreeShare={onAgreeShare} />
    </div>
  );
}

function Contact({ user, onAgreeShare }: Pick<DrawerOverviewProps, "user" | "onAgreeShare">) {
  return (
    <FactList
      facts={[
        {
          label: "Email",
          value: <Email email={user.email} emailVerified={user.emailVerified} />,
        },
        { label: "Payout handle", value: <Handles uid={user.uid} /> },
        { label: "Consignor share", value: <Share user={user} onAgreeShare={onAgreeShare} /> },
        { label: "Username", value: user.username ?? <Unknown reason="no username" /> },
        { label: "Discord", value: discordText(user) },
        { label: "Since", value: <DateTime at={user.createdAt} show="day" /> },
        ...(user.migratedFrom === null ? [] : [{ label: "Old account", value: user.migratedFrom }]),
        { label: "User ID", value: <span className="font-mono text-12">{user.uid}</span> },
        { label: "History", value: <AuditLink to={{ person: user.uid }} /> },
      ]}
    />
  );
}
