-- The store's own name, address, texts and logo: a row for each version, which events refer to. And the share agreed with a person.

create schema store;

create table store.details (
  id uuid not null,
  -- An empty text means that there is none, here and below.
  store_name text not null,
  return_policy text not null,
  chat_link text not null,
  venmo_name text not null,
  address_name text not null,
  street text not null,
  city text not null,
  state text not null,
  zip text not null,
  country text not null,
  constraint details_pkey primary key (id)
);

create table store.logos (
  id uuid not null,
  media_type text not null,
  image bytea not null,
  constraint logos_pkey primary key (id),
  constraint logos_media_type check (media_type in ('image/png', 'image/jpeg', 'image/webp')),
  constraint logos_size check (octet_length(image) <= 1048576)
);

-- The share agreed with the person as a consignor; null if the store's default applies.
alter table identity.profiles add column agreed_percentage smallint,
  add constraint profiles_agreed_percentage check (agreed_percentage between 0 and 100);
create index profiles_agreed on identity.profiles (uid) where agreed_percentage is not null;

-- The copy of a user's stream in the profile, as before, with the agreed share.
create or replace function identity.follow_user_stream() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  update identity.profiles p
  set role = coalesce(new.state ->> 'role', p.role),
      deactivated_at = (new.state ->> 'deactivatedAt')::timestamptz,
      agreed_percentage = (new.state ->> 'agreedPercentage')::smallint
  where p.uid = substr(new.id, 6)
    and (p.role is distinct from coalesce(new.state ->> 'role', p.role)
      or p.deactivated_at is distinct from (new.state ->> 'deactivatedAt')::timestamptz
      or p.agreed_percentage is distinct from (new.state ->> 'agreedPercentage')::smallint);
  return null;
end;
$$;

do $$
declare
  app text := current_setting('ledger.app_role');
begin
  execute format('grant usage on schema store to %I', app);
  -- A version never changes: what a receipt or a letter said can be looked up.
  execute format('grant select, insert on store.details, store.logos to %I', app);
end;
$$;
