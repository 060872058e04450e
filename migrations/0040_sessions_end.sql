-- Sessions end: ID tokens name their session, idle time is measured separately from renewals, and outside sign-ins end too.

-- When a page of the session was last used. A tab that only keeps itself up to date renews the token without it.
alter table identity.refresh_families add column used_at timestamptz;
update identity.refresh_families set used_at = rotated_at;
-- The default is for processes of the version before, during an upgrade.
alter table identity.refresh_families
  alter column used_at set default now(),
  alter column used_at set not null;

-- Sign-ins at an outside issuer from before this time have ended. Null if all sessions were never ended at once.
alter table identity.profiles add column sessions_ended_at timestamptz;

do $$
declare
  app text := current_setting('ledger.app_role');
begin
  execute format('grant update (sessions_ended_at) on identity.profiles to %I', app);
end;
$$;
