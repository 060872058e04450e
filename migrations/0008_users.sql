-- Roles and deactivation as the log decides them, the texts that its user events refer to, the old app's accounts, and erasure.

-- Texts of changes that an admin may have to explain: events carry only the id.
create table identity.user_changes (
  id uuid not null,
  uid text not null,
  field text not null,
  -- Null where there was none.
  before text,
  -- Null where it was removed.
  after text,
  constraint user_changes_pkey primary key (id),
  constraint user_changes_uid_fkey foreign key (uid) references identity.profiles (uid),
  constraint user_changes_field check (field in ('username', 'email', 'display-name'))
);
create index user_changes_uid on identity.user_changes (uid);

-- What personal words are hashed with before they name a stream of the log: without it nobody can try words out.
create table identity.reservation_secret (
  only_one boolean not null default true,
  secret bytea not null,
  constraint reservation_secret_pkey primary key (only_one),
  constraint reservation_secret_only_one check (only_one)
);
-- Two random UUIDs hold 244 random bits.
insert into identity.reservation_secret (secret)
values (decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'));

-- Accounts of the old app, waiting for the people they belong to.
create table identity.legacy_users (
  -- Made from what the old app called the account, so that loading the same file again finds the same row.
  id uuid not null,
  -- Null once erased, as all that is personal here; and where the old app had none.
  old_id text,
  email text,
  username text,
  display_name text,
  -- Items, sales and payouts as they will be booked; null once they are.
  holdings jsonb,
  -- Counts and amounts, for reports; nothing personal.
  summary jsonb not null,
  loaded_at timestamptz not null,
  -- Null until somebody has it.
  migrated_uid text,
  constraint legacy_users_pkey primary key (id),
  constraint legacy_users_migrated_uid_fkey foreign key (migrated_uid) references identity.profiles (uid)
);
create index legacy_users_email on identity.legacy_users (lower(email)) where migrated_uid is null;
create index legacy_users_username on identity.legacy_users (lower(username)) where migrated_uid is null;
create index legacy_users_migrated_uid on identity.legacy_users (migrated_uid);

-- Who was erased, until dead rows and old write-ahead log are gone as well.
create table identity.erasures (
  uid text not null,
  erased_at timestamptz not null,
  -- sha256 (hex) of each address that letters may have gone to, so that those in the outbox are found; null once they are.
  address_hashes text[],
  -- Null until dead rows, letters and old write-ahead log are gone.
  purged_at timestamptz,
  constraint erasures_pkey primary key (uid)
);
create index erasures_waiting on identity.erasures (erased_at) where purged_at is null;

-- The copy of a user's stream in the profile, made by the append itself: the two cannot differ, whatever crashes.
create function identity.follow_user_stream() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  update identity.profiles p
  set role = coalesce(new.state ->> 'role', p.role),
      deactivated_at = (new.state ->> 'deactivatedAt')::timestamptz
  where p.uid = substr(new.id, 6)
    and (p.role is distinct from coalesce(new.state ->> 'role', p.role)
      or p.deactivated_at is distinct from (new.state ->> 'deactivatedAt')::timestamptz);
  return null;
end;
$$;
revoke all on function identity.follow_user_stream() from public;

create trigger follow_user_stream after insert or update on log.streams
  for each row when (starts_with(new.id, 'user-'))
  execute function identity.follow_user_stream();

-- Statistics would keep samples of personal values in the catalogue. Setting a type anew forgets those there are.
alter table identity.profiles
  alter column email type text, alter column email set statistics 0,
  alter column display_name type text, alter column display_name set statistics 0,
  alter column username type text, alter column username set statistics 0,
  alter column discord_id type text, alter column discord_id set statistics 0,
  alter column discord_username type text, alter column discord_username set statistics 0,
  alter column migrated_from type text, alter column migrated_from set statistics 0;
alter index identity.profiles_search alter column 1 set statistics 0;
alter index identity.profiles_email alter column 1 set statistics 0;
alter index identity.profiles_verified_email alter column 1 set statistics 0;
alter table identity.credentials
  alter column email type text, alter column email set statistics 0,
  alter column password_hash type text, alter column password_hash set statistics 0;
alter table identity.issuer_subjects
  alter column subject type text, alter column subject set statistics 0;
alter table identity.refresh_families
  alter column user_agent type text, alter column user_agent set statistics 0;
alter table identity.payout_handles
  alter column handle type text, alter column handle set statistics 0;
alter table identity.notes
  alter column text type text, alter column text set statistics 0;
alter table identity.user_changes
  alter column before set statistics 0,
  alter column after set statistics 0;
alter table identity.legacy_users
  alter column old_id set statistics 0,
  alter column email set statistics 0,
  alter column username set statistics 0,
  alter column display_name set statistics 0,
  alter column holdings set statistics 0;
alter index identity.legacy_users_email alter column 1 set statistics 0;
alter index identity.legacy_users_username alter column 1 set statistics 0;

do $$
declare
  app text := current_setting('ledger.app_role');
begin
  execute format(
    'grant select, insert, update, delete on identity.user_changes, identity.legacy_users, identity.erasures to %I',
    app);
  execute format('grant select on identity.reservation_secret to %I', app);
  -- Nobody's role or deactivation changes but by an event: the trigger alone may write these two.
  execute format('revoke update on identity.profiles from %I', app);
  execute format(
    'grant update (email, email_verified_at, display_name, username, discord_id, discord_username,
       discord_linked_at, discord_notifications_enabled, migrated_from, session_epoch)
     on identity.profiles to %I', app);
end;
$$;
