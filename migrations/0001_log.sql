-- The append-only log: events with their typed postings, movements and stream versions, and each stream's state.

create schema log;

create table log.events (
  position       bigint      not null,
  id             uuid        not null,
  type           text        not null,
  schema_version integer     not null,
  data           jsonb       not null,
  -- A uid or `system:<name>`: a reference, never a name.
  actor          text        not null,
  key_scope      text        not null,
  command_key    text        not null,
  happened_at    timestamptz not null,
  recorded_at    timestamptz not null,
  -- sha256 over every field and typed row in canonical form, made by the writing process.
  field_hash     bytea       not null,
  -- sha256(previous link, position, recorded_at, field_hash), made under the log's lock.
  hash           bytea       not null,
  constraint events_pkey primary key (position),
  constraint events_id_key unique (id),
  constraint events_position_positive check (position > 0),
  constraint events_field_hash_length check (octet_length(field_hash) = 32),
  constraint events_hash_length check (octet_length(hash) = 32),
  constraint events_data_is_object check (jsonb_typeof(data) = 'object')
);

create table log.postings (
  position     bigint  not null,
  ordinal      integer not null,
  from_account text    not null,
  to_account   text    not null,
  cents        bigint  not null,
  constraint postings_pkey primary key (position, ordinal),
  constraint postings_cents_positive check (cents > 0),
  constraint postings_accounts_differ check (from_account <> to_account)
);

create table log.movements (
  position     bigint  not null,
  ordinal      integer not null,
  from_holding text    not null,
  to_holding   text    not null,
  units        bigint  not null,
  constraint movements_pkey primary key (position, ordinal),
  constraint movements_units_positive check (units > 0),
  constraint movements_holdings_differ check (from_holding <> to_holding)
);

create table log.event_streams (
  stream_id text   not null,
  version   bigint not null,
  position  bigint not null,
  constraint event_streams_pkey primary key (stream_id, version),
  constraint event_streams_version_positive check (version > 0)
);
create index event_streams_position_idx on log.event_streams (position);

-- One row a stream with its current state, so that a command costs the same on ten events and on a million.
create table log.streams (
  id            text    not null,
  version       bigint  not null,
  state         jsonb   not null,
  state_version integer not null,
  constraint streams_pkey primary key (id),
  constraint streams_state_is_object check (jsonb_typeof(state) = 'object')
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);

-- The answer each idempotency key was given, for ever; the position is the last one the answer reflects.
create table log.command_keys (
  scope        text   not null,
  key          text   not null,
  request_hash bytea  not null,
  answer       jsonb  not null,
  position     bigint not null,
  constraint command_keys_pkey primary key (scope, key)
);
