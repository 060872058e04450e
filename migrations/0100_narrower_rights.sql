-- What no code does, the application's role may not do either: the texts of changes of people, what proves that an
-- outside account is theirs, and everything that works once, are made and deleted but never changed, and who was erased
-- stays listed.
do $$
declare
  app text := current_setting('ledger.app_role');
begin
  execute format(
    'revoke update on identity.user_changes, identity.issuer_subjects, identity.custom_tokens, identity.oauth_flows,
       identity.passkey_challenges, identity.second_steps from %I', app);
  execute format('revoke delete on identity.erasures from %I', app);
end;
$$;
