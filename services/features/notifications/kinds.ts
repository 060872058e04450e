// Each kind of notification: what it is called on the profile, whom it is for, and where it goes unless a person chose otherwise.
import type { NotificationChannel, NotificationKind } from "#features/notifications/contract.ts";

export type Kind = {
  readonly label: string;
  /** Whether only admins are told. */
  readonly forAdmins: boolean;
  /** The channels until a person chooses. */
  readonly on: readonly NotificationChannel[];
};

const usual: readonly NotificationChannel[] = ["in-app", "discord"];

export const kinds: Readonly<Record<NotificationKind, Kind>> = {
  sale: { label: "An item of mine is sold", forAdmins: false, on: usual },
  "payout-paid": { label: "A payout is paid", forAdmins: false, on: usual },
  "payout-deleted": { label: "A payout request is deleted", forAdmins: false, on: usual },
  "shipment-processed": { label: "A shipment is processed", forAdmins: false, on: usual },
  offer: { label: "I get an offer", forAdmins: false, on: usual },
  counter: { label: "I get a counter offer", forAdmins: false, on: usual },
  answer: { label: "An offer is accepted or declined", forAdmins: false, on: usual },
  expiry: { label: "An offer expires", forAdmins: false, on: usual },
  "trade-fulfilled": { label: "A trade is fulfilled", forAdmins: false, on: usual },
  "payout-requested": { label: "A payout is requested", forAdmins: true, on: ["in-app"] },
};

export const allKinds = Object.keys(kinds) as readonly NotificationKind[];

/** The channels that a person hears of a kind on. */
export function channelsOf(
  kind: NotificationKind,
  chosen: ReadonlyMap<string, boolean>,
): readonly NotificationChannel[] {
  const channels: readonly NotificationChannel[] = ["in-app", "discord", "email"];
  return channels.filter(
    (channel) => chosen.get(choiceKey(kind, channel)) ?? kinds[kind].on.includes(channel),
  );
}

export function choiceKey(kind: string, channel: string): string {
  return `${kind} ${channel}`;
}
