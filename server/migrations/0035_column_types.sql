-- A column comment names its TypeScript type alone; server/src/db/column-types.ts exports it. Files can move without a migration.
do $$
declare
  c record;
begin
  for c in
    select format('%I.%I', t.relname, a.attname) as name, col_description(t.oid, a.attnum) as comment
    from pg_class t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
    where t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p', 'v', 'm')
      and col_description(t.oid, a.attnum) like '%import(%'
  loop
    execute format('comment on column %s is %L', c.name, regexp_replace(c.comment, 'import\(''[^'']+''\)\.', '', 'g'));
  end loop;
end $$;
