// What PostgreSQL's catalog says about the schemas that verify relies on, and about triggers of the whole database, in lines that are the same on versions 15 to 18.

/**
 * The application's role is whoever owns schema `read`, the owner whoever owns schema `log`: their names differ from
 * store to store. Objects that the application's role made itself, the read tables and their views, are left out.
 */
const COMMON = `
  roles as (
    select (select nspowner from pg_namespace where nspname = 'read') as app,
      (select nspowner from pg_namespace where nspname = 'log') as owner),
  names as (
    select 0::oid as oid, 'PUBLIC' as name
    union all
    select r.oid, case r.oid when (select owner from roles) then '{owner}'
      when (select app from roles) then '{app}' else r.rolname end
    from pg_roles r),
  schemas as (
    select n.oid, n.nspname as name, n.nspowner as owner, n.nspacl as acl
    from pg_namespace n where n.nspname in ('log', 'read', 'identity', 'files', 'store', 'security', 'visits')),
  relations as (
    select c.oid, s.name || '.' || c.relname as name, s.name as schema, c.relowner as owner,
      c.relkind as kind, c.relacl as acl, c.relpersistence as persistence,
      c.relrowsecurity or c.relforcerowsecurity as row_security,
      s.name = 'read' and c.relowner = (select app from roles) as by_app
    from pg_class c join schemas s on s.oid = c.relnamespace
    where c.relkind not in ('i', 'I', 't', 'c')),
  fixed as (select * from relations where not by_app),
  functions as (
    select p.*, s.name || '.' || p.proname || '('
        -- Long lists are distinguished by their hash.
        || case when p.pronargs <= 4 then oidvectortypes(p.proargtypes)
           else p.pronargs || ' arguments ' || left(md5(oidvectortypes(p.proargtypes)), 8) end || ')' as name
    from pg_proc p join schemas s on s.oid = p.pronamespace),
  event_triggers as (
    select e.evtname as name, n.name as owner,
      'on ' || e.evtevent || coalesce(' for ' || array_to_string(e.evttags, ', '), '')
        || ' executes ' || e.evtfoid::regprocedure
        || case e.evtenabled when 'O' then '' when 'D' then ' (disabled)' else ' (fires in other cases)' end as definition,
      e.evtevent <> 'login' and by_others.oid is not null and writer.rolsuper
        and writer.oid not in (select r.app from roles r union all select r.owner from roles r)
        and p.pronamespace not in (select s.oid from schemas s) as is_of_server
    from pg_event_trigger e
    join names n on n.oid = e.evtowner
    join pg_proc p on p.oid = e.evtfoid
    join pg_roles writer on writer.oid = p.proowner
    left join pg_roles by_others on by_others.oid = e.evtowner and by_others.rolsuper
      and by_others.oid not in (select r.app from roles r union all select r.owner from roles r))`;

/**
 * Selects `name` and `definition` of every object. NOT NULL is read from the column: only 18 lists it as a
 * constraint.
 */
export const OBJECTS = `
  with ${COMMON}
  select 'schema ' || s.name as name, 'owner ' || n.name as definition
  from schemas s join names n on n.oid = s.owner
  union all
  select case f.kind when 'r' then 'table ' when 'v' then 'view ' when 'm' then 'materialized view '
      else 'relation ' end || f.name,
    'owner ' || n.name || case f.persistence when 'p' then '' else ', not permanent' end
      || case when f.row_security then ', row security' else '' end
  from fixed f join names n on n.oid = f.owner
  union all
  select 'column ' || f.name || '.' || a.attname,
    format_type(a.atttypid, a.atttypmod) || case when a.attnotnull then ' not null' else '' end
      || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '')
      || case when a.attidentity = '' then '' else ' identity' end
      || case when a.attgenerated = '' then '' else ' generated' end
      || case when a.attcollation = t.typcollation then '' else ' of another collation' end
  from fixed f
  join pg_attribute a on a.attrelid = f.oid and a.attnum > 0 and not a.attisdropped
  join pg_type t on t.oid = a.atttypid
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  union all
  select 'constraint ' || c.conname || ' on ' || f.name,
    pg_get_constraintdef(c.oid) || case when c.condeferrable then ' (deferrable)' else '' end
  from fixed f join pg_constraint c on c.conrelid = f.oid and c.contype in ('c', 'f', 'p', 'u', 'x')
  union all
  select 'index ' || c.relname || ' on ' || f.name,
    pg_get_indexdef(i.indexrelid)
      || case when i.indisvalid and i.indisready and i.indislive then '' else ' (invalid)' end
  from fixed f join pg_index i on i.indrelid = f.oid join pg_class c on c.oid = i.indexrelid
  union all
  select 'child ' || i.inhrelid::regclass || ' of ' || f.name, 'inherits'
  from fixed f join pg_inherits i on i.inhparent = f.oid
  union all
  select 'trigger ' || g.tgname || ' on ' || r.name,
    pg_get_triggerdef(g.oid) || case g.tgenabled when 'O' then '' when 'D' then ' (disabled)'
      else ' (fires in other cases)' end
  from relations r join pg_trigger g on g.tgrelid = r.oid and not g.tgisinternal
  union all
  select 'event trigger ' || e.name, e.definition from event_triggers e where not e.is_of_server
  union all
  select 'rule ' || w.rulename || ' on ' || r.name, pg_get_ruledef(w.oid)
  from relations r join pg_rewrite w on w.ev_class = r.oid and w.rulename <> '_RETURN'
  union all
  select 'policy ' || p.polname || ' on ' || r.name, 'policy'
  from relations r join pg_policy p on p.polrelid = r.oid
  union all
  select case p.prokind when 'a' then 'aggregate ' when 'p' then 'procedure ' else 'function ' end || p.name,
    'owner ' || n.name || ', returns ' || pg_get_function_result(p.oid) || ', ' || l.lanname
      || case when p.prosecdef then ', security definer' else '' end
      || case p.provolatile when 'v' then ', volatile' when 's' then ', stable' else ', immutable' end
      || case when p.proisstrict then ', strict' else '' end
      || case when p.proleakproof then ', leakproof' else '' end
      || coalesce(', set ' || array_to_string(p.proconfig, ', set '), '')
      || coalesce(', ' || a.aggtransfn || ' from ' || coalesce(a.agginitval, 'null')
          || ' combined by ' || a.aggcombinefn || ' ended by ' || a.aggfinalfn, '')
      || ', arguments and body sha256 ' || encode(sha256(convert_to(
          pg_get_function_arguments(p.oid) || E'\\n' || p.prosrc || coalesce(p.probin, '')
            || coalesce(pg_get_function_sqlbody(p.oid), ''), 'UTF8')), 'hex')
  from functions p
  join names n on n.oid = p.proowner
  join pg_language l on l.oid = p.prolang
  left join pg_aggregate a on a.aggfnoid = p.oid
  union all
  select 'operator ' || o.oid::regoperator, o.oprcode::text
  from pg_operator o join schemas s on s.oid = o.oprnamespace
  union all
  select 'type ' || s.name || '.' || t.typname, t.typtype::text
  from pg_type t join schemas s on s.oid = t.typnamespace and t.typtype in ('d', 'e', 'r')`;

/**
 * Selects every event trigger that a superuser of the server has, and none of the store's roles: managed databases bring
 * some. They run in our own changes of the schema, with our rights, so what they leave behind is found
 * like any other change. One that runs at each login could deceive verify itself, and one whose function somebody else
 * owns could be changed without a superuser: those are among the objects.
 */
export const SERVER_TRIGGERS = `
  with ${COMMON}
  select e.name, e.owner, e.definition from event_triggers e where e.is_of_server
  order by e.name collate "C"`;

/**
 * Selects `line`: who may do what. For the application's role these are its effective rights, wherever they come
 * from; for all others, what was granted. Owners may do everything with their own objects, which is not listed.
 */
export const PRIVILEGES = `
  with ${COMMON},
  tables as (select * from relations where not by_app),
  columns as (
    select r.oid, a.attnum, r.name || '.' || a.attname as name, a.attacl as acl, r.owner
    from relations r join pg_attribute a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped),
  granted as (
    select name, owner, acl from schemas
    union all select name, owner, acl from relations
    union all select name, owner, acl from columns
    union all select name, proowner, coalesce(proacl, acldefault('f', proowner)) from functions),
  app as (select r.* from pg_roles r where r.oid = (select roles.app from roles)),
  programs as (select r.* from pg_roles r where r.oid = (select oid from app) or r.rolname = current_user)
  select '{app} may ' || p.what || ' ' || s.name as line
  from app, schemas s, (values ('USAGE'), ('CREATE')) p (what)
  where has_schema_privilege(app.oid, s.oid, p.what)
  union all
  select '{app} may ' || p.what || ' ' || t.name
  from app, tables t, (values ('SELECT'), ('INSERT'), ('UPDATE'), ('DELETE'), ('TRUNCATE'), ('REFERENCES'),
    ('TRIGGER')) p (what)
  where has_table_privilege(app.oid, t.oid, p.what)
  union all
  select '{app} may ' || p.what || ' ' || c.name
  from app, columns c join tables t on t.oid = c.oid,
    (values ('SELECT'), ('INSERT'), ('UPDATE'), ('REFERENCES')) p (what)
  where has_column_privilege(app.oid, c.oid, c.attnum, p.what) and not has_table_privilege(app.oid, c.oid, p.what)
  union all
  select '{app} may EXECUTE ' || f.name from app, functions f where has_function_privilege(app.oid, f.oid, 'EXECUTE')
  union all
  select n.name || ' may ' || x.privilege_type || ' ' || g.name
    || case when x.is_grantable then ' and grant it to others' else '' end
  from granted g, aclexplode(g.acl) x left join names n on n.oid = x.grantee
  where x.grantee <> g.owner
    and (x.grantee <> (select app from roles) or x.is_grantable or x.privilege_type = 'MAINTAIN')
  union all
  select n.name || ' will have ' || x.privilege_type || ' on what ' || m.name || ' makes'
    || coalesce(' in schema ' || s.name, '')
  from pg_default_acl d
  left join schemas s on s.oid = d.defaclnamespace
  join names m on m.oid = d.defaclrole,
  aclexplode(d.defaclacl) x left join names n on n.oid = x.grantee
  where (s.oid is not null or (d.defaclnamespace = 0 and m.name in ('{app}', '{owner}')))
    and x.grantee <> d.defaclrole
  union all
  select n.name || ' ' || a.what
  from programs p join names n on n.oid = p.oid,
    lateral (values (p.rolsuper, 'is a superuser'), (p.rolcreaterole, 'may make roles'),
      (p.rolbypassrls, 'bypasses row security'), (p.rolreplication, 'may replicate')) a (has, what)
  where a.has
  union all
  select n.name || ' is what this program connects as' from programs p join names n on n.oid = p.oid
  where p.oid <> (select oid from app)
  union all
  select n.name || ' may act as ' || m.name
  from programs p join names n on n.oid = p.oid, pg_roles r join names m on m.oid = r.oid
  where not p.rolsuper and p.oid <> r.oid and pg_has_role(p.oid, r.oid, 'MEMBER')
    and (m.name in ('{owner}', '{app}') or r.rolsuper or r.rolcreaterole or r.oid in (select owner from relations)
      or r.rolname in ('pg_write_all_data', 'pg_write_server_files', 'pg_execute_server_program'))
  union all
  select coalesce(n.name, 'every role') || ' has the setting ' || s.setting
  from pg_db_role_setting d left join names n on n.oid = d.setrole and d.setrole <> 0, unnest(d.setconfig) s (setting)
  where d.setdatabase in (0, (select oid from pg_database where datname = current_database()))
    and (d.setrole = 0 or n.name in ('{app}', '{owner}'))
  union all
  select 'sessions have session_replication_role ' || current_setting('session_replication_role')
  where current_setting('session_replication_role') <> 'origin'`;
