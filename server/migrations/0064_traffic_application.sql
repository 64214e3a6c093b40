-- Lists of DPI by application: the filter is an application with any carrier, so the index has the application instead of the protocol id.
-- The columns of the scope and of the condition are included, so that rows are counted in the index.
do $$
declare
  name text;
begin
  foreach name in array array['business_dpi_hour', 'manage_dpi_hour', 'business_dpi_day', 'manage_dpi_day'] loop
    execute format('drop index if exists %I', name || '_protocol');
    execute format($index$create index %I on %I (
      (case when split_part(protocol_id, '.', 2) in ('', '0') then split_part(protocol_id, '.', 1) else split_part(protocol_id, '.', 2) end),
      time desc, id desc) include (agent_id, protocol_id)$index$, name || '_application', name);
  end loop;
end $$;
