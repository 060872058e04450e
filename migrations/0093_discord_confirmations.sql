-- Whether the owner of a Discord account wants the store's messages there. Who signed in with it has said so already.

create table identity.discord_confirmations (
  uid text not null,
  discord_id text not null,
  -- When the message with the code may go out; a day later another one may.
  asked_at timestamptz not null,
  -- Its row in identity.notifications.
  message_id uuid,
  -- Each attempt to send the message has a code of its own: an earlier one may have arrived.
  code_hashes bytea[] not null default '{}',
  confirmed_at timestamptz,
  constraint discord_confirmations_pkey primary key (uid, discord_id),
  constraint discord_confirmations_uid_fkey foreign key (uid) references identity.profiles (uid)
);
create index discord_confirmations_discord_id on identity.discord_confirmations (discord_id);
-- PostgreSQL keeps samples of columns for its plans; nobody's account is among them.
alter table identity.discord_confirmations
  alter column discord_id set statistics 0, alter column code_hashes set statistics 0;

do $$
declare
  app text := current_setting('ledger.app_role');
begin
  execute format('grant select, insert, update, delete on identity.discord_confirmations to %I', app);
end;
$$;

-- Accounts that take the store's messages already keep getting them.
insert into identity.discord_confirmations (uid, discord_id, asked_at, confirmed_at)
select p.uid, p.discord_id, now(), now()
from identity.profiles p join identity.discord_reach r on r.uid = p.uid and r.discord_id = p.discord_id
where r.refused_at is null and r.dm_channel_id is not null and exists (
  select from identity.notifications n
  where n.uid = p.uid and n.channel = 'discord' and n.state = 'sent'
    and n.settled_at >= coalesce(p.discord_linked_at, '-infinity'));
