-- Who is told of which event, on which channel, and how far that is. Rows refer to events and people; no text is kept.

create table identity.notifications (
  -- In the order in which they were written.
  id uuid not null default uuidv7(),
  uid text not null,
  kind text not null,
  channel text not null,
  -- The event in the log; null for a test message.
  position bigint,
  -- in-app: `shown` from the beginning. `refused`: the person has to change something. `unwanted`: turned off since.
  state text not null,
  created_at timestamptz not null,
  -- Not tried before this.
  due_at timestamptz not null,
  attempts integer not null default 0,
  -- When the last attempt began, and until when nobody else may try.
  tried_at timestamptz,
  lease_until timestamptz,
  -- When the first attempt began of which nobody knows whether the message went out; null if there was none.
  uncertain_at timestamptz,
  -- A constant of ours that says what went wrong last.
  why text,
  settled_at timestamptz,
  -- in-app: when the person read it.
  read_at timestamptz,
  -- When an operator has looked at it: it is not listed any more.
  looked_at timestamptz,
  constraint notifications_pkey primary key (id),
  constraint notifications_uid_fkey foreign key (uid) references identity.profiles (uid),
  constraint notifications_channel check (channel in ('in-app', 'discord', 'email')),
  constraint notifications_state check (state in
    ('shown', 'waiting', 'sending', 'sent', 'refused', 'unwanted', 'given-up', 'dropped'))
);
create unique index notifications_once on identity.notifications (position, uid, channel, kind);
create index notifications_uid on identity.notifications (uid, id);
create index notifications_unread on identity.notifications (uid) where channel = 'in-app' and read_at is null;
create index notifications_due on identity.notifications (channel, due_at) where state in ('waiting', 'sending');
create index notifications_trouble on identity.notifications (id)
  where looked_at is null and (state = 'given-up' or uncertain_at is not null);
create index notifications_created_at on identity.notifications (created_at);

-- What a person chose where it differs from the kind's own setting.
create table identity.notification_choices (
  uid text not null,
  kind text not null,
  channel text not null,
  is_on boolean not null,
  constraint notification_choices_pkey primary key (uid, kind, channel),
  constraint notification_choices_uid_fkey foreign key (uid) references identity.profiles (uid)
);

-- What Discord said about reaching a person. A message to another account finds out again.
create table identity.discord_reach (
  uid text not null,
  discord_id text not null,
  -- Of direct messages; null until it is known.
  dm_channel_id text,
  -- Why Discord refuses messages to this person; null while it takes them.
  refused_because text,
  refused_at timestamptz,
  -- Discord's own limit for this person's messages.
  held_until timestamptz,
  constraint discord_reach_pkey primary key (uid),
  constraint discord_reach_uid_fkey foreign key (uid) references identity.profiles (uid)
);

-- Who else has a Discord id: a message goes to one of them.
create index profiles_discord_id on identity.profiles (discord_id) where discord_id is not null;

-- PostgreSQL keeps samples of columns for its plans; nobody's account is among them.
alter table identity.discord_reach
  alter column discord_id set statistics 0, alter column dm_channel_id set statistics 0;

-- How far the log was read for each kind. A new kind begins at the log's head.
create table store.notification_kinds (
  kind text not null,
  position bigint not null,
  constraint notification_kinds_pkey primary key (kind)
);

-- What holds up a whole channel.
create table store.notification_channels (
  channel text not null,
  -- Whether the worker has what it needs to send.
  is_configured boolean not null,
  paused_until timestamptz,
  stopped_at timestamptz,
  stopped_because text,
  constraint notification_channels_pkey primary key (channel)
);

do $$
declare
  app text := current_setting('ledger.app_role');
begin
  execute format('grant select, insert, update, delete on identity.notifications to %I', app);
  execute format('grant select, insert, update, delete on identity.notification_choices to %I', app);
  execute format('grant select, insert, update, delete on identity.discord_reach to %I', app);
  execute format('grant select, insert, update on store.notification_kinds to %I', app);
  execute format('grant select, insert, update on store.notification_channels to %I', app);
end;
$$;
