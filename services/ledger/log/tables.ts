// The log's tables as Kysely sees them, for reads that join events to a read table.

export type LogTables = {
  readonly "log.events": {
    readonly position: number;
    readonly type: string;
    readonly schema_version: number;
    readonly data: Readonly<Record<string, unknown>>;
    readonly actor: string;
    readonly happened_at: Date;
    readonly recorded_at: Date;
    readonly hash: Uint8Array;
  };
  readonly "log.postings": {
    readonly position: number;
    readonly from_account: string;
    readonly to_account: string;
    readonly cents: number;
  };
  readonly "log.event_streams": {
    readonly stream_id: string;
    readonly version: number;
    readonly position: number;
  };
  readonly "log.streams": {
    readonly id: string;
    readonly state: Readonly<Record<string, unknown>>;
  };
};
