-- Who tried to get in, and what was refused. Outside schema identity, because erasing a person rewrites all of its tables,
-- and strangers decide how many rows there are here.

create schema security;

create table security.log (
  -- Made of what is counted together: kind, outcome, person, network, and the ten minutes.
  id uuid not null,
  -- The first and the last of those that were counted.
  noted_at timestamptz not null,
  last_at timestamptz not null,
  kind text not null,
  outcome text not null,
  -- Whose account it is about; NULL for strangers. Erasing the person deletes the row.
  uid text,
  -- Who did it to somebody else's account; NULL if it was the person, a stranger, or somebody who was erased.
  by_uid text,
  -- Of the email that a stranger typed, with a secret of schema identity; NULL if there was none, or several.
  email_hash text,
  -- An IPv4 address, or the /48 of an IPv6 address; "others" once there are too many.
  network text not null,
  -- These three are NULL where those that were counted differ.
  address text,
  user_agent text,
  detail text,
  count integer not null,
  constraint log_pkey primary key (id),
  constraint log_count check (count > 0),
  constraint log_lengths check (
    length(kind) <= 60 and length(outcome) <= 20 and length(network) <= 60 and length(address) <= 60
    and length(user_agent) <= 200 and length(detail) <= 200)
);
create index log_noted_at on security.log (noted_at, id);
create index log_of_person on security.log (uid, noted_at, id) where uid is not null;
create index log_of_kind on security.log (kind, noted_at, id);
create index log_by_person on security.log (by_uid) where by_uid is not null;
create index log_of_email on security.log (email_hash) where email_hash is not null;
-- No samples of personal values in the catalog.
alter table security.log
  alter column uid set statistics 0,
  alter column by_uid set statistics 0,
  alter column email_hash set statistics 0,
  alter column network set statistics 0,
  alter column address set statistics 0,
  alter column user_agent set statistics 0,
  alter column detail set statistics 0;

do $$
declare
  app text := current_setting('ledger.app_role');
begin
  execute format('grant usage on schema security to %I', app);
  execute format('grant select, insert, update, delete on security.log to %I', app);
end;
$$;
