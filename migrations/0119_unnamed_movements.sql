-- The number of a line whose event moves units of an item without extending the item's stream: there is none, as in
-- read.no_line. It is parallel safe, so that it changes no plan.
create function read.no_item_line(p_position bigint, p_item text, p_stream text) returns bigint
  language plpgsql volatile parallel safe
as $$
begin
  raise exception 'event % is wrong: it moves units of item % without extending %', p_position, p_item, p_stream
    using errcode = 'LG005';
end;
$$;

do $$
declare
  app text := current_setting('ledger.app_role');
begin
  execute format('grant execute on function read.no_item_line(bigint, text, text) to %I', app);
end;
$$;
