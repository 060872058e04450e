-- A key of statements counts only with a copy of its public part that is sealed with SECRET_KEY, which whoever has only
-- the application's role cannot make, or if the owner of the schema vouches for it.

-- Keys of before have no such copy, and nobody can check the retired ones any more: they count as they are now.
alter table identity.statement_keys
  add column public_sealed bytea,
  add column is_vouched boolean not null default false;
update identity.statement_keys set is_vouched = true;

do $$
declare
  app text := current_setting('ledger.app_role');
begin
  execute format('revoke insert on identity.statement_keys from %I', app);
  execute format(
    'grant insert (kid, public_jwk, private_sealed, public_sealed, created_at), update (public_sealed)
       on identity.statement_keys to %I', app);
end;
$$;
