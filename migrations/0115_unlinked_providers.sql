-- Providers that a person unlinked from the account: their accounts with its email do not link themselves again until the
-- person allows it.
create table identity.unlinked_providers (
  uid text not null,
  issuer text not null,
  unlinked_at timestamptz not null,
  constraint unlinked_providers_pkey primary key (uid, issuer),
  constraint unlinked_providers_uid_fkey foreign key (uid) references identity.profiles (uid)
);

do $$
declare
  app text := current_setting('ledger.app_role');
begin
  execute format('grant select, insert, delete on identity.unlinked_providers to %I', app);
end;
$$;
