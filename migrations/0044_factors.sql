-- Second factors and passkeys, and what is under way with them.

create table identity.factors (
  id            uuid        not null,
  uid           text        not null,
  kind          text        not null,
  -- What its owner calls it.
  name          text        not null,
  added_at      timestamptz not null,
  last_used_at  timestamptz,
  -- Of an authenticator app: its secret, sealed with the key from outside, and the last time step whose code was used.
  secret_sealed bytea,
  last_step     bigint,
  -- Of a passkey.
  credential_id text,
  public_key    bytea,
  counter       bigint,
  transports    text[],
  constraint factors_pkey primary key (id),
  constraint factors_uid_fkey foreign key (uid) references identity.profiles (uid) on delete cascade,
  constraint factors_credential_id_key unique (credential_id),
  constraint factors_kind check (kind in ('totp', 'passkey')),
  constraint factors_totp check (
    (kind = 'totp') = (secret_sealed is not null) and (kind = 'totp') = (last_step is not null)),
  constraint factors_passkey check (
    (kind = 'passkey') = (credential_id is not null) and (kind = 'passkey') = (public_key is not null)
    and (kind = 'passkey') = (counter is not null) and (kind = 'passkey') = (transports is not null))
);
create index factors_uid_idx on identity.factors (uid);
create unique index factors_one_totp_idx on identity.factors (uid) where kind = 'totp';
alter table identity.factors
  alter column name set statistics 0,
  alter column credential_id set statistics 0;

-- An authenticator app that has not given its first code yet; at most one a person.
create table identity.totp_setups (
  uid           text        not null,
  -- The factor that it becomes.
  id            uuid        not null,
  secret_sealed bytea       not null,
  started_at    timestamptz not null,
  constraint totp_setups_pkey primary key (uid),
  constraint totp_setups_uid_fkey foreign key (uid) references identity.profiles (uid) on delete cascade
);

create table identity.recovery_codes (
  uid       text        not null,
  -- sha256 of a code of 80 random bits.
  code_hash bytea       not null,
  made_at   timestamptz not null,
  used_at   timestamptz,
  constraint recovery_codes_pkey primary key (uid, code_hash),
  constraint recovery_codes_uid_fkey foreign key (uid) references identity.profiles (uid) on delete cascade
);

-- What a passkey has to sign; each is used once.
create table identity.passkey_challenges (
  challenge  text        not null,
  purpose    text        not null,
  -- Null for a sign-in, where the passkey says who it is.
  uid        text,
  expires_at timestamptz not null,
  constraint passkey_challenges_pkey primary key (challenge),
  constraint passkey_challenges_uid_fkey foreign key (uid) references identity.profiles (uid) on delete cascade,
  constraint passkey_challenges_purpose check (purpose in ('add', 'sign-in', 'second-step', 'confirm'))
);
alter table identity.passkey_challenges alter column challenge set statistics 0;
create index passkey_challenges_uid_idx on identity.passkey_challenges (uid);
create index passkey_challenges_expires_idx on identity.passkey_challenges (expires_at);

-- Sign-ins that wait for a second factor.
create table identity.second_steps (
  token_hash    bytea       not null,
  uid           text        not null,
  -- Of the person when the first step was taken: ending all sessions ends it too.
  session_epoch integer     not null,
  expires_at    timestamptz not null,
  constraint second_steps_pkey primary key (token_hash),
  constraint second_steps_uid_fkey foreign key (uid) references identity.profiles (uid) on delete cascade
);
create index second_steps_uid_idx on identity.second_steps (uid);
create index second_steps_expires_idx on identity.second_steps (expires_at);

do $$
declare
  app text := current_setting('ledger.app_role');
  name text;
begin
  foreach name in array array['factors', 'totp_setups', 'recovery_codes', 'passkey_challenges', 'second_steps'] loop
    execute format('grant select, insert, update, delete on identity.%I to %I', name, app);
  end loop;
end;
$$;
