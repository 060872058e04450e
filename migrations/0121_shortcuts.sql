-- Where a shortcut of a step does not fit an event, it fails with this, and the step's own statement is run.
-- It is parallel safe, so that it changes no plan.
create function read.no_shortcut(p_position bigint) returns text
  language plpgsql volatile parallel safe
as $$
begin
  raise exception 'event % needs the whole step', p_position using errcode = 'LG006';
end;
$$;

do $$
declare
  app text := current_setting('ledger.app_role');
begin
  execute format('grant execute on function read.no_shortcut(bigint) to %I', app);
end;
$$;
