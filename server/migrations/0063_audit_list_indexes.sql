-- Lists of audit data count and find their rows in the index alone: the columns of the scope and of the partition are included. Otherwise
-- each counted row is read from another page of the table. Filters with few rows per value (account, MAC, IP) do not need this.
-- On spread tables Citus needs one index per statement, and each statement alone.
do $$
declare
  kind text;
  command text;
begin
  foreach kind in array array['auth', 'identity', 'url', 'forum', 'mail', 'terminal'] loop
    execute format('drop index audit_%1$s_at', kind);
    execute format('drop index audit_%1$s_agent', kind);
    execute format('drop index audit_%1$s_device', kind);
    execute format('create index audit_%1$s_at on audit_%1$s (at desc, id desc) include (agent_id, device_id, stored_at)', kind);
    execute format('create index audit_%1$s_agent on audit_%1$s (agent_id, at desc, id desc) include (device_id, stored_at)', kind);
    execute format('create index audit_%1$s_device on audit_%1$s (device_id, at desc, id desc) include (agent_id, stored_at)', kind);
  end loop;
  foreach command in array array[
    'drop index audit_url_host',
    'drop index audit_url_category',
    'drop index audit_identity_app',
    'drop index audit_forum_name',
    'create index audit_url_host on audit_url (host, at desc, id desc) include (agent_id, device_id, stored_at)',
    'create index audit_url_category on audit_url (category, at desc, id desc) include (agent_id, device_id, stored_at) where category is not null',
    'create index audit_identity_app on audit_identity (app_name, at desc, id desc) include (agent_id, device_id, stored_at)',
    'create index audit_forum_name on audit_forum (forum_name, at desc, id desc) include (agent_id, device_id, stored_at)'
  ] loop
    execute command;
  end loop;
end $$;
