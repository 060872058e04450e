-- Names of the streams of alerts, and how far the continuous proof is. What the proof wrote down can be lost: it begins again.

create function log.alert_stream(id text) returns text language sql immutable parallel safe
  as $$ select 'alert-' || id $$;
create function log.is_alert_stream(name text) returns boolean language sql immutable parallel safe
  as $$ select name like 'alert-%' $$;
create function log.id_of_alert_stream(name text) returns text language sql immutable parallel safe
  as $$ select substr(name, 7) $$;

-- One row.
create table read.proof (
  is_only        boolean     not null default true,
  -- The account that was proved last; the next ones follow it.
  proved_account text        not null default '',
  -- When accounts were last proved, and how many in that minute.
  pass_at        timestamptz,
  pass_accounts  integer,
  -- The nightly proof: the time it was due, when it ended, the log's position then, and how many findings it had.
  due_at         timestamptz,
  proved_at      timestamptz,
  position       bigint,
  findings       bigint,
  -- When an admin last asked for one.
  asked_at       timestamptz,
  constraint proof_pkey primary key (is_only),
  constraint proof_is_only check (is_only)
);
insert into read.proof default values;

do $$
declare
  app text := current_setting('ledger.app_role');
begin
  execute format('grant select, update on read.proof to %I', app);
end;
$$;
