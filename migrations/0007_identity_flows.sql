-- Ways in beside a password: mailed links, dances with Google and Discord that began in one browser, and the end of all sessions at once.

-- A proven address belongs to one person: accounts are linked by it.
create unique index profiles_verified_email on identity.profiles (lower(email))
  where email_verified_at is not null;

-- ID tokens carry the number they were made under; ending all sessions counts it up, so that they end at once.
alter table identity.profiles add column session_epoch integer not null default 0;

-- What the browser called itself when the person signed in; null where it said nothing.
alter table identity.refresh_families add column user_agent text;

-- Links that were mailed and not used yet. The address itself is not kept: only whether it is still the same.
create table identity.mail_links (
  token_hash bytea not null,
  purpose text not null,
  uid text not null,
  email_hash bytea not null,
  expires_at timestamptz not null,
  constraint mail_links_pkey primary key (token_hash),
  constraint mail_links_uid_fkey foreign key (uid) references identity.profiles (uid),
  constraint mail_links_purpose check (purpose in ('verify-email', 'reset-password'))
);
create index mail_links_uid on identity.mail_links (uid, purpose);
create index mail_links_expires_at on identity.mail_links (expires_at);

-- A sign-in at another provider that has begun. PKCE verifier and nonce are made from the browser's secret, which
-- only its cookie holds, so nothing here helps anybody to finish it.
create table identity.oauth_flows (
  state_hash bytea not null,
  browser_hash bytea not null,
  provider text not null,
  -- Null where the person asked for no particular page.
  return_path text,
  expires_at timestamptz not null,
  constraint oauth_flows_pkey primary key (state_hash),
  constraint oauth_flows_provider check (provider in ('google', 'discord'))
);
create index oauth_flows_expires_at on identity.oauth_flows (expires_at);

-- What a callback hands to its screen: good once, for a minute, in the same browser.
create table identity.custom_tokens (
  token_hash bytea not null,
  browser_hash bytea not null,
  uid text not null,
  expires_at timestamptz not null,
  constraint custom_tokens_pkey primary key (token_hash),
  constraint custom_tokens_uid_fkey foreign key (uid) references identity.profiles (uid)
);
create index custom_tokens_uid on identity.custom_tokens (uid);
create index custom_tokens_expires_at on identity.custom_tokens (expires_at);

do $$
declare
  app text := current_setting('ledger.app_role');
begin
  execute format(
    'grant select, insert, update, delete on identity.mail_links, identity.oauth_flows, identity.custom_tokens to %I',
    app);
end;
$$;
