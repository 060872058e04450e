-- The keys that sign statements. A statement may be checked years later, so no key is ever deleted; only its private part goes.

create table identity.statement_keys (
  kid         text        not null,
  public_jwk  jsonb       not null,
  -- NULL once the key is retired: from then on nobody can sign with it.
  private_jwk jsonb,
  created_at  timestamptz not null,
  retired_at  timestamptz,
  constraint statement_keys_pkey primary key (kid),
  constraint statement_keys_retired check ((private_jwk is null) = (retired_at is not null))
);
-- One key signs at a time.
create unique index statement_keys_current_idx on identity.statement_keys (retired_at)
  nulls not distinct where retired_at is null;

do $$
declare
  app text := current_setting('ledger.app_role');
begin
  execute format('grant select, insert, update (private_jwk, retired_at) on identity.statement_keys to %I', app);
end;
$$;
