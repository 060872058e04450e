-- How back-ups and restore drills ended: Operations, status, metrics and the heartbeat read it. A restore begins without these rows.

create table ledger_meta.backup_runs (
  kind text not null,
  ended_at timestamptz not null,
  passed boolean not null,
  -- The log's end in the back-up; NULL where it was not reached.
  position bigint,
  -- Of the whole back-up.
  bytes bigint,
  elapsed_ms bigint not null,
  -- Why it failed; NULL where it passed.
  message text,
  constraint backup_runs_pkey primary key (kind, ended_at),
  constraint backup_runs_kind check (kind in ('backup', 'drill')),
  constraint backup_runs_message check (passed = (message is null))
);

do $$
declare
  app text := current_setting('ledger.app_role');
begin
  execute format('grant select, insert, delete on ledger_meta.backup_runs to %I', app);
end;
$$;
