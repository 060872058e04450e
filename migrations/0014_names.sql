-- Names of streams, accounts and holdings are made and read by functions, so that no query puts them together by hand. Each
-- is one expression that PostgreSQL puts into the query itself. The features' streams.ts declare the same; a test holds both equal.

create function log.item_stream(id text) returns text language sql immutable parallel safe
  as $$ select 'item-' || id $$;
create function log.is_item_stream(name text) returns boolean language sql immutable parallel safe
  as $$ select name like 'item-%' $$;
create function log.id_of_item_stream(name text) returns text language sql immutable parallel safe
  as $$ select substr(name, 6) $$;

create function log.item_holding(id text) returns text language sql immutable parallel safe
  as $$ select 'item:' || id $$;
create function log.is_item_holding(name text) returns boolean language sql immutable parallel safe
  as $$ select name like 'item:%' $$;
create function log.id_of_item_holding(name text) returns text language sql immutable parallel safe
  as $$ select substr(name, 6) $$;

create function log.consignor_stream(id text) returns text language sql immutable parallel safe
  as $$ select 'consignor-' || id $$;
create function log.is_consignor_stream(name text) returns boolean language sql immutable parallel safe
  as $$ select name like 'consignor-%' $$;
create function log.id_of_consignor_stream(name text) returns text language sql immutable parallel safe
  as $$ select substr(name, 11) $$;

create function log.consignor_available_account(id text) returns text language sql immutable parallel safe
  as $$ select 'consignor:' || id || ':available' $$;
create function log.is_consignor_available_account(name text) returns boolean language sql immutable parallel safe
  as $$ select name like 'consignor:%:available' $$;
create function log.id_of_consignor_available_account(name text) returns text language sql immutable parallel safe
  as $$ select substr(name, 11, length(name) - 20) $$;

create function log.consignor_payouts_account(id text) returns text language sql immutable parallel safe
  as $$ select 'consignor:' || id || ':payouts' $$;
create function log.is_consignor_payouts_account(name text) returns boolean language sql immutable parallel safe
  as $$ select name like 'consignor:%:payouts' $$;
create function log.id_of_consignor_payouts_account(name text) returns text language sql immutable parallel safe
  as $$ select substr(name, 11, length(name) - 18) $$;

create function log.is_consignor_account(name text) returns boolean language sql immutable parallel safe
  as $$ select name like 'consignor:%' $$;
create function log.id_of_consignor_account(name text) returns text language sql immutable parallel safe
  as $$ select split_part(name, ':', 2) $$;

create function log.sale_stream(id text) returns text language sql immutable parallel safe
  as $$ select 'sale-' || id $$;
create function log.is_sale_stream(name text) returns boolean language sql immutable parallel safe
  as $$ select name like 'sale-%' $$;
create function log.id_of_sale_stream(name text) returns text language sql immutable parallel safe
  as $$ select substr(name, 6) $$;

create function log.payout_stream(id text) returns text language sql immutable parallel safe
  as $$ select 'payout-' || id $$;
create function log.is_payout_stream(name text) returns boolean language sql immutable parallel safe
  as $$ select name like 'payout-%' $$;
create function log.id_of_payout_stream(name text) returns text language sql immutable parallel safe
  as $$ select substr(name, 8) $$;

create function log.user_stream(id text) returns text language sql immutable parallel safe
  as $$ select 'user-' || id $$;
create function log.is_user_stream(name text) returns boolean language sql immutable parallel safe
  as $$ select name like 'user-%' $$;
create function log.id_of_user_stream(name text) returns text language sql immutable parallel safe
  as $$ select substr(name, 6) $$;

create function log.username_stream(id text) returns text language sql immutable parallel safe
  as $$ select 'username-' || id $$;
create function log.is_username_stream(name text) returns boolean language sql immutable parallel safe
  as $$ select name like 'username-%' $$;
create function log.id_of_username_stream(name text) returns text language sql immutable parallel safe
  as $$ select substr(name, 10) $$;

create function log.legacy_stream(id text) returns text language sql immutable parallel safe
  as $$ select 'legacy-' || id $$;
create function log.is_legacy_stream(name text) returns boolean language sql immutable parallel safe
  as $$ select name like 'legacy-%' $$;
create function log.id_of_legacy_stream(name text) returns text language sql immutable parallel safe
  as $$ select substr(name, 8) $$;
