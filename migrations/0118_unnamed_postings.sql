-- The number of a line whose event posts to an account without extending its owner's stream: there is none, since lines
-- are numbered by that stream. The error is what operators read as the reason why the lines are held back. It is parallel
-- safe, so that it changes no plan.
create function read.no_line(p_position bigint, p_uid text, p_stream text) returns bigint
  language plpgsql volatile parallel safe
as $$
begin
  raise exception 'event % is wrong: it posts to an account of % without extending %', p_position, p_uid, p_stream
    using errcode = 'LG005';
end;
$$;

do $$
declare
  app text := current_setting('ledger.app_role');
begin
  execute format('grant execute on function read.no_line(bigint, text, text) to %I', app);
end;
$$;
