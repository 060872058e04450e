-- Schema identity: people, how they sign in, and every text about them, apart from the log so that it can be erased.
create schema identity;

create table identity.profiles (
  uid text not null,
  -- Null once erased. Not unique: only credentials and verified addresses say who somebody is.
  email text,
  -- Null until the address was proven to be the person's.
  email_verified_at timestamptz,
  -- Null where the person gave none, and once erased.
  display_name text,
  -- Null until chosen, and once erased.
  username text,
  role text not null default 'user',
  -- Where notifications go. Null while none is linked.
  discord_id text,
  discord_username text,
  discord_linked_at timestamptz,
  discord_notifications_enabled boolean not null default true,
  -- What the old app called this person; null for everybody who is new.
  migrated_from text,
  created_at timestamptz not null,
  -- Null while the person may come in.
  deactivated_at timestamptz,
  constraint profiles_pkey primary key (uid),
  constraint profiles_uid_shape check (length(uid) >= 20 and length(uid) <= 128 and position('@' in uid) = 0),
  constraint profiles_role check (role in ('user', 'admin')),
  constraint profiles_username_shape check (username ~ '^[a-z0-9_-]{3,20}$'),
  constraint profiles_username_key unique (username)
);
create index profiles_email on identity.profiles (lower(email));
create index profiles_admins on identity.profiles (uid) where role = 'admin';

-- The search of the consignor field: a part of the name, the username or the address.
create index profiles_search on identity.profiles using gin (
  lower(coalesce(display_name, '') || ' ' || coalesce(username, '') || ' ' || coalesce(email, '')) public.gin_trgm_ops
);

create table identity.credentials (
  uid text not null,
  -- Lower case; what the person types to sign in.
  email text not null,
  -- `$argon2id$v=19$m=…,t=…,p=…$salt$hash`, base64 without padding.
  password_hash text not null,
  updated_at timestamptz not null,
  constraint credentials_pkey primary key (uid),
  constraint credentials_email_key unique (email),
  constraint credentials_uid_fkey foreign key (uid) references identity.profiles (uid)
);

-- Which of our people an outside issuer's subject is.
create table identity.issuer_subjects (
  issuer text not null,
  subject text not null,
  uid text not null,
  linked_at timestamptz not null,
  constraint issuer_subjects_pkey primary key (issuer, subject),
  constraint issuer_subjects_uid_fkey foreign key (uid) references identity.profiles (uid)
);
create index issuer_subjects_uid on identity.issuer_subjects (uid);

-- One row a session. Each refresh token is made from the one before it by the family's secret, so the row needs
-- to know only the newest one's hash to recognise any older one as used.
create table identity.refresh_families (
  id uuid not null,
  uid text not null,
  secret bytea not null,
  generation integer not null,
  token_hash bytea not null,
  authenticated_at timestamptz not null,
  rotated_at timestamptz not null,
  expires_at timestamptz not null,
  -- Null while the session lives.
  ended_at timestamptz,
  -- Null while the session lives.
  ended_because text,
  constraint refresh_families_pkey primary key (id),
  constraint refresh_families_uid_fkey foreign key (uid) references identity.profiles (uid),
  constraint refresh_families_ended check ((ended_at is null) = (ended_because is null)),
  constraint refresh_families_ended_because check (ended_because in ('signed-out', 'reused', 'ended'))
);
create index refresh_families_uid on identity.refresh_families (uid);
create index refresh_families_expires_at on identity.refresh_families (expires_at);

create table identity.signing_keys (
  kid text not null,
  public_jwk jsonb not null,
  private_jwk jsonb not null,
  created_at timestamptz not null,
  -- Signs from here on; published before, so that verifiers have it in time.
  signs_from timestamptz not null,
  -- Leaves the key set here: the last token it signed has ended by then.
  published_until timestamptz not null,
  constraint signing_keys_pkey primary key (kid)
);

-- At most one row: the link that makes the first admin.
create table identity.setup_link (
  only_one boolean not null default true,
  token_hash bytea not null,
  expires_at timestamptz not null,
  constraint setup_link_pkey primary key (only_one),
  constraint setup_link_only_one check (only_one)
);

create table identity.payout_handles (
  id uuid not null,
  uid text not null,
  method text not null,
  handle text not null,
  last_used_at timestamptz not null,
  constraint payout_handles_pkey primary key (id),
  constraint payout_handles_handle_key unique (uid, method, handle),
  constraint payout_handles_uid_fkey foreign key (uid) references identity.profiles (uid),
  constraint payout_handles_method check (method in ('cashapp', 'venmo'))
);

create table identity.notes (
  id uuid not null,
  text text not null,
  about_uid text not null,
  constraint notes_pkey primary key (id),
  constraint notes_about_uid_fkey foreign key (about_uid) references identity.profiles (uid)
);
create index notes_about_uid on identity.notes (about_uid);

-- Counters of attempts; keys are hashes, never addresses.
create table identity.rate_limits (
  key varchar(255) not null,
  points integer not null default 0,
  -- Milliseconds since 1970; null never ends, which no limit of ours uses.
  expire bigint,
  constraint rate_limits_pkey primary key (key)
);
create index rate_limits_expire on identity.rate_limits (expire);

do $$
declare
  app text := current_setting('ledger.app_role');
begin
  execute format('grant usage on schema identity to %I', app);
  execute format('grant select, insert, update, delete on all tables in schema identity to %I', app);
end;
$$;
