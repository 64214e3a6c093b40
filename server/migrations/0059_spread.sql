-- Tables with device_id can be spread over the workers of a Citus cluster (server/src/db/spread). Such a table cannot reference a table of
-- the coordinator, so a trigger does what the foreign key did.
alter table device_stream drop constraint device_stream_device_id_fkey;

create function forget_device_streams() returns trigger language plpgsql as $$
declare
  ids bigint[] := array(select id from gone);
begin
  delete from device_stream where device_id = any(ids);
  return null;
end $$;
create trigger device_streams_delete after delete on device referencing old table as gone
  for each statement execute function forget_device_streams();
