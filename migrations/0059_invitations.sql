-- Accounts that an admin made for somebody: theirs once they open the link of the letter.

create table identity.invitations (
  uid text not null,
  -- Of the address that the letter goes to: sign-ups and resets with it lead to this account.
  email_hash bytea not null,
  -- No reference: the invitation stays if that admin leaves.
  invited_by text not null,
  invited_at timestamptz not null,
  -- The last letter; null if none could be sent.
  sent_at timestamptz,
  constraint invitations_pkey primary key (uid),
  constraint invitations_email_hash_key unique (email_hash),
  constraint invitations_uid_fkey foreign key (uid) references identity.profiles (uid)
);

alter table identity.mail_links drop constraint mail_links_purpose;
alter table identity.mail_links add constraint mail_links_purpose
  check (purpose in ('verify-email', 'reset-password', 'invitation'));

do $$
declare
  app text := current_setting('ledger.app_role');
begin
  execute format('grant select, insert, update, delete on identity.invitations to %I', app);
end;
$$;
