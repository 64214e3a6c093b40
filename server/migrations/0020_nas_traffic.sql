-- Traffic of a NAS of another maker without a site device: its `device_id` is the negative id of the NAS. The VNO of a NAS never changes.
create or replace function device_owner(device bigint, moment bigint) returns bigint language sql stable as $$
  select case when device < 0 then (select n.agent_id from nas n where n.id = -device) else coalesce(
    (select t.from_agent_id from device_transfer t where t.device_id = device and t.state = 'done' and t.finish_at > moment order by t.finish_at limit 1),
    (select d.agent_id from device d where d.id = device)) end
$$;
