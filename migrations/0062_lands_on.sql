-- Where a person starts after signing in: their own choice. Only admins can see Today.

alter table identity.profiles add column lands_on text not null default 'dashboard',
  add constraint profiles_lands_on check (lands_on in ('dashboard', 'today'));

do $$
declare
  app text := current_setting('ledger.app_role');
begin
  execute format('grant update (lands_on) on identity.profiles to %I', app);
end;
$$;
