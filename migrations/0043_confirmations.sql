-- When somebody last confirmed in a session that it is really them, for calls that hurt.

create table identity.confirmations (
  -- Names the session: hex sha256, so that a dump gives away no session.
  session_key  text        not null,
  uid          text        not null,
  confirmed_at timestamptz not null,
  constraint confirmations_pkey primary key (session_key),
  constraint confirmations_uid_fkey foreign key (uid) references identity.profiles (uid) on delete cascade
);
create index confirmations_uid_idx on identity.confirmations (uid);

do $$
begin
  execute format('grant select, insert, update, delete on identity.confirmations to %I', current_setting('ledger.app_role'));
end;
$$;
