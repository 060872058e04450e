// The identity tables that lists and histories join, declared for Kysely. Identity's own SQL writes them.

export type IdentityTables = {
  readonly "identity.profiles": {
    readonly uid: string;
    readonly email: string | null;
    readonly email_verified_at: Date | null;
    readonly display_name: string | null;
    readonly username: string | null;
    readonly discord_id: string | null;
    readonly discord_username: string | null;
    readonly discord_linked_at: Date | null;
    readonly discord_notifications_enabled: boolean;
    readonly migrated_from: string | null;
    readonly deactivated_at: Date | null;
    readonly created_at: Date;
  };
  readonly "identity.payout_handles": {
    readonly id: string;
    readonly uid: string;
    readonly method: "cashapp" | "venmo";
    readonly handle: string;
    /** Null until a request with it was accepted. */
    readonly last_used_at: Date | null;
  };
  readonly "identity.notes": {
    readonly id: string;
    /** Null for notes that are older than the binding of texts to events. */
    readonly salt: Buffer | null;
    readonly text: string;
    readonly about_uid: string | null;
  };
  readonly "identity.shipment_texts": {
    readonly id: string;
    /** Null if the sender is unknown. */
    readonly uid: string | null;
    readonly carrier_name: string | null;
    readonly tracking_number: string | null;
    readonly contents: string | null;
  };
  readonly "identity.user_changes": {
    readonly id: string;
    readonly field: string;
    readonly before: string | null;
    readonly after: string | null;
  };
  readonly "identity.trade_addresses": {
    readonly id: string;
    readonly uid: string;
    readonly name: string;
    readonly street: string;
    readonly city: string;
    readonly state: string;
    readonly zip: string;
    readonly country: string;
  };
  /** By the id of the label. */
  readonly "identity.trade_labels": {
    readonly id: string;
    readonly uid: string;
    readonly tracking_number: string;
  };
  readonly "identity.legacy_users": {
    readonly id: string;
    readonly email: string | null;
    readonly username: string | null;
    readonly display_name: string | null;
    /** The account's counts and amounts from the old app. */
    readonly summary: unknown;
    readonly migrated_uid: string | null;
    readonly loaded_at: Date;
  };
};
