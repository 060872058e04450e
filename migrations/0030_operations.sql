-- What operators ordered and how far it is, who is alive, and how far the read tables were behind in the last hour.
-- All of it can be lost: the log says what was ordered, and the rest is written again within seconds.

-- The order for each projection that operators acted on last. The command that appends the event writes it in the same
-- transaction; a worker that holds the projection carries it out.
create table read.rebuilds (
  projection  text        not null,
  rebuild_id  uuid        not null,
  -- built: ready, not shown · paused · shown · canceled: what it made is dropped · taken-back: the tables before the last flip
  wanted      text        not null,
  -- Shows the new tables even if they hold back row keys that are shown now.
  accept_held boolean     not null,
  -- waiting: nobody began · filling · indexing · comparing · ready: waits for a flip · done · failed: see error
  phase       text        not null,
  -- The tables that the rebuild fills or filled; NULL before it made them.
  generation  integer,
  error       text,
  -- What a flip would change; NULL while it was not compared.
  differences jsonb,
  -- Of the last chunks, with the pauses between them.
  events_per_second double precision,
  started_at  timestamptz not null default now(),
  ordered_at  timestamptz not null default now(),
  -- The last sign of life of the process that carries it out.
  seen_at     timestamptz,
  constraint rebuilds_pkey primary key (projection),
  constraint rebuilds_wanted_known check (wanted in ('built', 'paused', 'shown', 'canceled', 'taken-back')),
  constraint rebuilds_phase_known check (phase in ('waiting', 'filling', 'indexing', 'comparing', 'ready', 'done', 'failed'))
);

-- An operator asked to fold the key again; a worker does, and clears it.
alter table read.quarantine add column fold_again boolean not null default false;
-- When it was last folded again without success.
alter table read.quarantine add column tried_at timestamptz;
create index quarantine_fold_again on read.quarantine (projection) where fold_again;

-- One row for each running process.
create table read.processes (
  id         uuid        not null,
  -- start, api, worker
  name       text        not null,
  host       text        not null,
  pid        integer     not null,
  started_at timestamptz not null,
  seen_at    timestamptz not null,
  -- What it does at the moment, in sentences for a person.
  doing      jsonb       not null,
  -- The newest head of the log that it published outside the database; NULL if it published none.
  published_position bigint,
  published_at       timestamptz,
  constraint processes_pkey primary key (id)
);

-- How far the shown tables were behind, four times a minute, for an hour.
create table read.lag_samples (
  taken_at timestamptz not null,
  head     bigint      not null,
  -- By projection: {"position": 18204, "seconds": 0.004}
  shown    jsonb       not null,
  constraint lag_samples_pkey primary key (taken_at)
);

-- A reason that a script gave is nobody's: no erasure touches it.
alter table identity.notes alter column about_uid drop not null;

do $$
declare
  app text := current_setting('ledger.app_role');
begin
  execute format(
    'grant select, insert, update, delete on read.rebuilds, read.processes, read.lag_samples to %I', app);
end;
$$;
