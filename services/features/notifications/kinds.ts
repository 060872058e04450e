// Each kind of notification: what it is called on the profile, whom it is for, and where it goes unless a person chose otherwise.
import type { NotificationChannel, NotificationKind } from "#features/notifications/contract.ts";
import type { Role } from "#identity/profiles.ts";

export type Kind = {
  /** What it is called in lists. */
  readonly noun: string;
  readonly label: string;
  /** Whether only admins are told. */
  readonly forAdmins: boolean;
  /** The channels until a person chooses. */
  readonly on: readonly NotificationChannel[];
};

const usual: readonly NotificationChannel[] = ["in-app", "discord"];

export const kinds: Readonly<Record<NotificationKind, Kind>> = {
  sale: { noun: "Sale", label: "An item of mine is sold", forAdmins: false, on: usual },
  "payout-for-me": {
    noun: "Payout requested by the store",
    label: "The store requests a payout for me",
    forAdmins: false,
    // Somebody else chose where the money goes.
    on: ["in-app", "discord", "email"],
  },
  "payout-paid": { noun: "Payout paid", label: "A payout is paid", forAdmins: false, on: usual },
  "payout-deleted": {
    noun: "Payout request deleted",
    label: "A payout request is deleted",
    forAdmins: false,
    on: usual,
  },
  "payout-returned": {
    noun: "Payout returned",
    label: "A payout comes back",
    forAdmins: false,
    on: usual,
  },
  "shipment-processed": {
    noun: "Shipment processed",
    label: "A shipment is processed",
    forAdmins: false,
    on: usual,
  },
  offer: { noun: "Offer", label: "I get an offer", forAdmins: false, on: usual },
  counter: { noun: "Counter offer", label: "I get a counter offer", forAdmins: false, on: usual },
  answer: {
    noun: "Answer to an offer",
    label: "An offer is accepted or declined",
    forAdmins: false,
    on: usual,
  },
  expiry: { noun: "Expired offer", label: "An offer expires", forAdmins: false, on: usual },
  "trade-fulfilled": {
    noun: "Trade fulfilled",
    label: "A trade is fulfilled",
    forAdmins: false,
    on: usual,
  },
  "payout-requested": {
    noun: "Payout requested",
    label: "A payout is requested",
    forAdmins: true,
    on: ["in-app"],
  },
};

export const allKinds = Object.keys(kinds) as readonly NotificationKind[];

/** The kinds of notifications for this role. */
export function kindsFor(role: Role): readonly NotificationKind[] {
  return allKinds.filter((kind) => role === "admin" || !kinds[kind].forAdmins);
}

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
