-- Rows of one hour or day in order of VNO, so that a page far from the start of a list begins at its VNO, not at its hour.
do $$
declare
  name text;
begin
  foreach name in array array['business_flow', 'manage_flow', 'business_dpi', 'manage_dpi'] loop
    for name in select name || unit from unnest(array['_hour', '_day']) unit loop
      execute format('create index %I on %I (time desc, agent_id desc, id desc)', name || '_vno', name);
      execute format('drop index if exists %I', name || '_time');
    end loop;
  end loop;
end $$;
