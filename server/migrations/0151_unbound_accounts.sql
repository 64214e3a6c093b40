-- Accounts that are bound to nothing are found without reading the others.
create index subscriber_unbound on subscriber (create_at desc, id desc) include (agent_id) where device_id is null and device_group_id is null;
