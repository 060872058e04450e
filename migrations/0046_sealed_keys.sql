-- Private keys are sealed with a key from outside the database (services/identity/sealed.ts), so that a dump signs nothing.

-- The next start seals what is still plain. A column of its own, because the planner may have samples of the old one.
alter table identity.signing_keys add column private_sealed bytea, add column plain_jwk jsonb;
alter table identity.signing_keys alter column plain_jwk set statistics 0;
update identity.signing_keys set plain_jwk = private_jwk;
alter table identity.signing_keys drop column private_jwk;
alter table identity.signing_keys
  add constraint signing_keys_private check ((plain_jwk is null) <> (private_sealed is null));

alter table identity.statement_keys add column private_sealed bytea, add column plain_jwk jsonb;
alter table identity.statement_keys alter column plain_jwk set statistics 0;
update identity.statement_keys set plain_jwk = private_jwk;
alter table identity.statement_keys drop constraint statement_keys_retired;
alter table identity.statement_keys drop column private_jwk;
alter table identity.statement_keys add constraint statement_keys_retired
  check ((plain_jwk is null and private_sealed is null) = (retired_at is not null));
alter table identity.statement_keys add constraint statement_keys_private
  check (plain_jwk is null or private_sealed is null);

-- At most one row: secrets were sealed or deleted, and their older bytes are not yet gone from the disk.
create table identity.purge_due (
  only_one boolean     not null default true,
  since    timestamptz not null,
  constraint purge_due_pkey primary key (only_one),
  constraint purge_due_only_one check (only_one)
);

do $$
declare
  app text := current_setting('ledger.app_role');
begin
  execute format('grant update (private_sealed, plain_jwk) on identity.statement_keys to %I', app);
  execute format('grant select, insert, update, delete on identity.purge_due to %I', app);
end;
$$;
