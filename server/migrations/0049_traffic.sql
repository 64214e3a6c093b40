-- Traffic per hour and day, worked out from the reports of gateways (server/src/domain/traffic).

-- Peak rate in KB/s, and sessions. Older gateways report neither.
alter table user_flow add column peak integer;
alter table own_flow add column peak integer;
alter table app_flow add column sessions integer;

-- Applications of the gateway's own traffic.
create table own_app_flow (
  device_id bigint not null,
  at bigint not null,
  seconds integer not null,
  app text not null,
  link text,
  up_bytes bigint not null,
  down_bytes bigint not null,
  sessions integer
) partition by range (at);
create index own_app_flow_time on own_app_flow (device_id, at desc);

-- Reports over more than ten minutes are few. Their index finds those that reach into a later hour.
create index user_flow_long on user_flow (device_id, at) where seconds > 600;
create index own_flow_long on own_flow (device_id, at) where seconds > 600;
create index app_flow_long on app_flow (device_id, at) where seconds > 600;
create index own_app_flow_long on own_app_flow (device_id, at) where seconds > 600;

-- Version of the protocol map of the gateway. Ids of protocols are stable within a major version only.
alter table device add column protocol_map text;

-- Rows of the lists. An hour is a UTC hour; a day begins at midnight of UTC+8. A row belongs to the VNO of its time.
-- No foreign keys and no unique keys without device_id, so that the tables can be spread over several databases.
create table business_flow_hour (
  id bigint generated always as identity,
  time bigint not null,
  agent_id bigint not null,
  device_id bigint not null,
  account text not null,
  -- Null: the account is not known, or deleted.
  subscriber_id bigint,
  link text not null default '',
  network text not null default 'unknown',
  seconds integer not null,
  -- KB/s; null: not reported.
  peak_speed integer,
  up_bytes bigint not null,
  down_bytes bigint not null,
  total_bytes bigint not null generated always as (up_bytes + down_bytes) stored
) partition by range (time);
comment on column business_flow_hour.network is 'ts: ''unknown'' | ''6d'' | ''l_band'' | ''lte'' | ''low_orbit''';

create table manage_flow_hour (
  id bigint generated always as identity,
  time bigint not null,
  agent_id bigint not null,
  device_id bigint not null,
  service text not null,
  link text not null default '',
  network text not null default 'unknown',
  seconds integer not null,
  peak_speed integer,
  up_bytes bigint not null,
  down_bytes bigint not null,
  total_bytes bigint not null generated always as (up_bytes + down_bytes) stored
) partition by range (time);
comment on column manage_flow_hour.network is 'ts: ''unknown'' | ''6d'' | ''l_band'' | ''lte'' | ''low_orbit''';

create table business_dpi_hour (
  id bigint generated always as identity,
  time bigint not null,
  agent_id bigint not null,
  device_id bigint not null,
  -- Empty: traffic of no account.
  account text not null,
  subscriber_id bigint,
  protocol_id text not null,
  session_count bigint,
  up_bytes bigint not null,
  down_bytes bigint not null,
  total_bytes bigint not null generated always as (up_bytes + down_bytes) stored
) partition by range (time);

create table manage_dpi_hour (
  id bigint generated always as identity,
  time bigint not null,
  agent_id bigint not null,
  device_id bigint not null,
  protocol_id text not null,
  session_count bigint,
  up_bytes bigint not null,
  down_bytes bigint not null,
  total_bytes bigint not null generated always as (up_bytes + down_bytes) stored
) partition by range (time);

create table business_flow_day (like business_flow_hour including all) partition by range (time);
create table manage_flow_day (like manage_flow_hour including all) partition by range (time);
create table business_dpi_day (like business_dpi_hour including all) partition by range (time);
create table manage_dpi_day (like manage_dpi_hour including all) partition by range (time);

-- Sums of a device, for totals and charts. `kind` is a code of dpi_data_type.
create table flow_sum_hour (
  kind text not null,
  time bigint not null,
  agent_id bigint not null,
  device_id bigint not null,
  network text not null,
  up_bytes bigint not null,
  down_bytes bigint not null,
  primary key (device_id, kind, time, agent_id, network)
) partition by range (time);
comment on column flow_sum_hour.kind is 'ts: ''flow_usr'' | ''flow_mgt'' | ''dpi_usr'' | ''dpi_mgt''';
comment on column flow_sum_hour.network is 'ts: ''unknown'' | ''6d'' | ''l_band'' | ''lte'' | ''low_orbit''';
create table flow_sum_day (like flow_sum_hour including all) partition by range (time);
create index flow_sum_hour_agent on flow_sum_hour (agent_id, kind, time);
create index flow_sum_day_agent on flow_sum_day (agent_id, kind, time);

-- Sums of a VNO without the VNOs below it.
create table agent_flow_hour (
  kind text not null,
  time bigint not null,
  agent_id bigint not null,
  up_bytes bigint not null,
  down_bytes bigint not null,
  primary key (agent_id, kind, time)
) partition by range (time);
comment on column agent_flow_hour.kind is 'ts: ''flow_usr'' | ''flow_mgt'' | ''dpi_usr'' | ''dpi_mgt''';
create table agent_flow_day (like agent_flow_hour including all) partition by range (time);
create index agent_flow_hour_time on agent_flow_hour (kind, time);
create index agent_flow_day_time on agent_flow_day (kind, time);

-- Applications of a device and of a VNO, for rankings.
create table dpi_device_day (
  kind text not null,
  time bigint not null,
  agent_id bigint not null,
  device_id bigint not null,
  protocol_id text not null,
  up_bytes bigint not null,
  down_bytes bigint not null,
  session_count bigint,
  primary key (device_id, kind, time, agent_id, protocol_id)
) partition by range (time);
comment on column dpi_device_day.kind is 'ts: ''dpi_usr'' | ''dpi_mgt''';
create index dpi_device_day_agent on dpi_device_day (agent_id, kind, time);

create table dpi_agent_day (
  kind text not null,
  time bigint not null,
  agent_id bigint not null,
  protocol_id text not null,
  up_bytes bigint not null,
  down_bytes bigint not null,
  session_count bigint,
  primary key (agent_id, kind, time, protocol_id)
) partition by range (time);
comment on column dpi_agent_day.kind is 'ts: ''dpi_usr'' | ''dpi_mgt''';
create index dpi_agent_day_time on dpi_agent_day (kind, time);

-- Indexes of the lists: newest first and biggest first, for the platform, a VNO, a device, an account, an application.
do $$
declare
  name text;
begin
  foreach name in array array['business_flow', 'manage_flow', 'business_dpi', 'manage_dpi'] loop
    for name in select name || unit from unnest(array['_hour', '_day']) unit loop
      execute format('create index %I on %I (time desc, id desc)', name || '_time', name);
      execute format('create index %I on %I (agent_id, time desc, id desc)', name || '_agent', name);
      execute format('create index %I on %I (device_id, time desc, id desc)', name || '_device', name);
      execute format('create index %I on %I (total_bytes desc, id desc)', name || '_total', name);
      execute format('create index %I on %I (agent_id, total_bytes desc, id desc)', name || '_agent_total', name);
      if name like 'business%' then
        execute format('create index %I on %I (lower(account), time desc, id desc)', name || '_account', name);
        execute format('create index %I on %I (subscriber_id, time desc, id desc)', name || '_subscriber', name);
      end if;
      if name like '%dpi%' then
        execute format('create index %I on %I (protocol_id, time desc, id desc)', name || '_protocol', name);
      end if;
    end loop;
  end loop;
end $$;

-- Time until now is one table; later ranges are made ahead (server/src/db/partitions.ts), of 1, 4 or 52 weeks.
do $$
declare
  week bigint := (floor(extract(epoch from now()))::bigint + 600) / 604800 + 1;
  part record;
  until bigint;
begin
  for part in select * from (values
    ('own_app_flow', 1),
    ('business_flow_hour', 4), ('manage_flow_hour', 4), ('business_dpi_hour', 4), ('manage_dpi_hour', 4), ('flow_sum_hour', 4),
    ('business_flow_day', 52), ('manage_flow_day', 52), ('business_dpi_day', 52), ('manage_dpi_day', 52), ('flow_sum_day', 52),
    ('agent_flow_hour', 52), ('agent_flow_day', 52), ('dpi_device_day', 52), ('dpi_agent_day', 52)) as p(name, weeks)
  loop
    until := (week + part.weeks - 1) / part.weeks * part.weeks;
    execute format('create table %I partition of %I for values from (minvalue) to (%s)', part.name || '_before_' || until, part.name, until * 604800);
  end loop;
end $$;

-- Hours of a device that must be worked out again. The commit that stores a report writes it.
create table traffic_dirty (
  kind text not null,
  device_id bigint not null,
  hour bigint not null,
  -- The first and the last report since the hour was worked out.
  marked_at bigint not null,
  touched_at bigint not null,
  -- Each report changes it. A mark that changed while the hour was worked out stays.
  version integer not null default 0,
  primary key (kind, device_id, hour)
) with (fillfactor = 50);
comment on column traffic_dirty.kind is 'ts: ''flow_usr'' | ''flow_mgt'' | ''dpi_usr'' | ''dpi_mgt''';
create index traffic_dirty_marked on traffic_dirty (kind, marked_at);

-- A gateway whose clock is ahead may have reported after its transfer; that traffic belongs to the new VNO.
create function note_transfer_traffic() returns trigger language plpgsql as $$
begin
  insert into traffic_dirty (kind, device_id, hour, marked_at, touched_at)
    select kind, new.device_id, hour, new.finish_at, new.finish_at
    from unnest(array['dpi_mgt', 'dpi_usr', 'flow_mgt', 'flow_usr']) kind, unnest(array[new.finish_at / 3600 * 3600, new.finish_at / 3600 * 3600 + 3600]) hour
    order by kind, hour
    on conflict (kind, device_id, hour) do update set touched_at = excluded.touched_at, version = traffic_dirty.version + 1;
  return null;
end $$;
create trigger device_transfer_traffic after update of state on device_transfer for each row
  when (new.state = 'done' and old.state <> 'done') execute function note_transfer_traffic();

-- All reports that arrived before this time are in the tables above.
create table traffic_state (
  kind text primary key,
  as_of bigint not null
);
comment on column traffic_state.kind is 'ts: ''flow_usr'' | ''flow_mgt'' | ''dpi_usr'' | ''dpi_mgt''';

-- Reports that were stored before these tables existed.
insert into traffic_state (kind, as_of) select unnest(array['flow_usr', 'flow_mgt', 'dpi_usr', 'dpi_mgt']), 0;
insert into traffic_dirty (kind, device_id, hour, marked_at, touched_at)
select distinct f.kind, f.device_id, h.hour, 0, 0 from (
  select 'flow_usr' as kind, device_id, at, seconds from user_flow
  union all select 'flow_mgt', device_id, at, seconds from own_flow
  union all select 'dpi_usr', device_id, at, seconds from app_flow) f
cross join lateral generate_series(f.at / 3600 * 3600, (f.at + greatest(f.seconds, 1) - 1) / 3600 * 3600, 3600) as h(hour);
