-- Roles come from the log alone, and a payout request binds the handle it names: what identity keeps for both, and who may write it.

-- What profiles said and no event did when this began. Roles of here count for nothing; names stay what they are.
create table identity.before_the_log (
  uid text not null,
  -- Whether the row said `admin`. Only an event makes somebody one.
  was_admin boolean not null,
  -- Null where the log knew the name, or there was none.
  username text,
  constraint before_the_log_pkey primary key (uid),
  constraint before_the_log_uid_fkey foreign key (uid) references identity.profiles (uid)
);
alter table identity.before_the_log alter column username set statistics 0;

insert into identity.before_the_log (uid, was_admin, username)
select p.uid, p.role = 'admin' and s.state ->> 'role' is null,
  case when s.state ->> 'username' is null then p.username end
from identity.profiles p
left join log.streams s on s.id = 'user-' || p.uid
where p.deactivated_at is null
  and ((p.role = 'admin' and s.state ->> 'role' is null)
    or (p.username is not null and s.state ->> 'username' is null));

update identity.profiles p set role = 'user'
from identity.before_the_log b where b.uid = p.uid and b.was_admin;

-- The ids of a person's payout handles are made with this. It is erased with the person, so that nobody can
-- try handles out against the ids that stay in the log. Null once erased.
alter table identity.profiles add column handle_secret bytea
  default decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex');
alter table identity.profiles alter column handle_secret set statistics 0;

-- Events have the hash of salt, method and handle. Null until a request that binds the handle named it.
alter table identity.payout_handles
  add column salt bytea,
  add constraint payout_handles_salt_length check (octet_length(salt) = 16);
alter table identity.payout_handles alter column salt set statistics 0;

do $$
declare
  app text := current_setting('ledger.app_role');
begin
  -- Nobody is made with a role or without an end: the trigger on the log's streams alone writes these two.
  execute format('revoke insert, delete on identity.profiles from %I', app);
  execute format(
    'grant insert (uid, email, email_verified_at, display_name, created_at) on identity.profiles to %I', app);
  execute format('grant update (handle_secret) on identity.profiles to %I', app);
  -- A handle that was asked for stays what it was.
  execute format('revoke update on identity.payout_handles from %I', app);
  execute format('grant update (salt, last_used_at) on identity.payout_handles to %I', app);
  execute format('grant select, delete on identity.before_the_log to %I', app);
end;
$$;
