-- An account can change hands: whoever can read the letters sent to its address takes it over from a stranger who signed up with
-- that address. Browsers in which the stranger used it are then no longer known.

alter table identity.profiles add column browsers_known_from timestamptz;

do $$
declare
  app text := current_setting('ledger.app_role');
begin
  execute format('grant update (browsers_known_from) on identity.profiles to %I', app);
end;
$$;
