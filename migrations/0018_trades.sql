-- Names of trades (streams, escrow, units) as functions, and the addresses that trades ship to.

create function log.trade_stream(id text) returns text language sql immutable parallel safe
  as $$ select 'trade-' || id $$;
create function log.is_trade_stream(name text) returns boolean language sql immutable parallel safe
  as $$ select name like 'trade-%' $$;
create function log.id_of_trade_stream(name text) returns text language sql immutable parallel safe
  as $$ select substr(name, 7) $$;

create function log.trader_stream(id text) returns text language sql immutable parallel safe
  as $$ select 'trader-' || id $$;
create function log.is_trader_stream(name text) returns boolean language sql immutable parallel safe
  as $$ select name like 'trader-%' $$;
create function log.id_of_trader_stream(name text) returns text language sql immutable parallel safe
  as $$ select substr(name, 8) $$;

create function log.trade_escrow_account(id text) returns text language sql immutable parallel safe
  as $$ select 'trade:' || id || ':escrow' $$;
create function log.is_trade_escrow_account(name text) returns boolean language sql immutable parallel safe
  as $$ select name like 'trade:%:escrow' $$;
create function log.id_of_trade_escrow_account(name text) returns text language sql immutable parallel safe
  as $$ select substr(name, 7, length(name) - 13) $$;

create function log.trade_units_holding(id text) returns text language sql immutable parallel safe
  as $$ select 'trade:' || id || ':units' $$;
create function log.is_trade_units_holding(name text) returns boolean language sql immutable parallel safe
  as $$ select name like 'trade:%:units' $$;
create function log.id_of_trade_units_holding(name text) returns text language sql immutable parallel safe
  as $$ select substr(name, 7, length(name) - 12) $$;

-- Where goods go. Events have the id; the address is erased with its person.
create table identity.trade_addresses (
  id uuid not null,
  uid text not null,
  name text not null,
  street text not null,
  city text not null,
  state text not null,
  zip text not null,
  country text not null,
  kept_at timestamptz not null,
  constraint trade_addresses_pkey primary key (id),
  constraint trade_addresses_uid_fkey foreign key (uid) references identity.profiles (uid)
);
create index trade_addresses_uid on identity.trade_addresses (uid, kept_at desc);
alter table identity.trade_addresses
  alter column name set statistics 0, alter column street set statistics 0,
  alter column city set statistics 0, alter column state set statistics 0,
  alter column zip set statistics 0, alter column country set statistics 0;

do $$
declare
  app text := current_setting('ledger.app_role');
begin
  -- An address that a trade names stays what it was.
  execute format('grant select, insert, delete on identity.trade_addresses to %I', app);
end;
$$;
