-- Measurements of gateways, and the traffic per hour and day that is worked out from them (server/src/domain/traffic). A stream is a table
-- a week, made ahead and dropped when it is old (server/src/field/retention.ts).

create table device_load (
  device_id bigint not null,
  at bigint not null,
  cpu smallint not null,
  memory smallint not null,
  disk smallint,
  session_count integer,
  temperature smallint
) partition by range (at);
create index device_load_time on device_load (device_id, at desc);

create table device_track (
  device_id bigint not null,
  at bigint not null,
  lat double precision not null,
  lon double precision not null,
  sog real,
  cog real
) partition by range (at);
create index device_track_time on device_track (device_id, at desc);

create table device_flow (
  device_id bigint not null,
  at bigint not null,
  seconds integer not null,
  link text not null,
  up_bytes bigint not null,
  down_bytes bigint not null
) partition by range (at);
create index device_flow_time on device_flow (device_id, at desc);

create table user_flow (
  device_id bigint not null,
  at bigint not null,
  seconds integer not null,
  account text not null,
  up_bytes bigint not null,
  down_bytes bigint not null,
  link text,
  via text,
  online_seconds integer,
  -- Peak rate in KB/s; null: not reported.
  peak integer
) partition by range (at);
create index user_flow_time on user_flow (device_id, at desc);
-- Reports over more than ten minutes are few. Their index finds those that reach into a later hour.
create index user_flow_long on user_flow (device_id, at) where seconds > 600;

create table app_flow (
  device_id bigint not null,
  at bigint not null,
  seconds integer not null,
  app text not null,
  account text,
  up_bytes bigint not null,
  down_bytes bigint not null,
  sessions integer
) partition by range (at);
create index app_flow_time on app_flow (device_id, at desc);
create index app_flow_long on app_flow (device_id, at) where seconds > 600;

-- Traffic of the gateway itself, by service.
create table own_flow (
  device_id bigint not null,
  at bigint not null,
  seconds integer not null,
  service text not null,
  link text,
  up_bytes bigint not null,
  down_bytes bigint not null,
  peak integer
) partition by range (at);
create index own_flow_time on own_flow (device_id, at desc);
create index own_flow_long on own_flow (device_id, at) where seconds > 600;

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
create index own_app_flow_long on own_app_flow (device_id, at) where seconds > 600;

-- Rows of the lists. An hour is a UTC hour; a day begins at midnight of UTC+8. A row belongs to the VNO of its time.
-- No foreign keys and no unique keys without device_id, so that the tables can be spread over several databases (server/src/db/spread).
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
  -- Rows of the traffic lists, counted by the rollup: the total of a list and the start of a deep page come from them.
  -- `row_count`: rows of the list by this hour or day; `hour_row_count`: rows of the list by hour on this day.
  row_count integer not null default 0,
  primary key (device_id, kind, time, agent_id, network)
) partition by range (time);
comment on column flow_sum_hour.kind is 'ts: ''flow_usr'' | ''flow_mgt'' | ''dpi_usr'' | ''dpi_mgt''';
comment on column flow_sum_hour.network is 'ts: ''unknown'' | ''6d'' | ''l_band'' | ''lte'' | ''low_orbit''';

create table flow_sum_day (like flow_sum_hour including all, hour_row_count integer not null default 0) partition by range (time);
create index flow_sum_hour_agent on flow_sum_hour (agent_id, kind, time);
create index flow_sum_day_agent on flow_sum_day (agent_id, kind, time);

-- Sums of a VNO without the VNOs below it.
create table agent_flow_hour (
  kind text not null,
  time bigint not null,
  agent_id bigint not null,
  up_bytes bigint not null,
  down_bytes bigint not null,
  row_count integer not null default 0,
  primary key (agent_id, kind, time)
) partition by range (time);
comment on column agent_flow_hour.kind is 'ts: ''flow_usr'' | ''flow_mgt'' | ''dpi_usr'' | ''dpi_mgt''';

create table agent_flow_day (like agent_flow_hour including all, hour_row_count integer not null default 0) partition by range (time);
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
create index dpi_device_day_agent on dpi_device_day (agent_id, kind, time);
comment on column dpi_device_day.kind is 'ts: ''dpi_usr'' | ''dpi_mgt''';

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
create index dpi_agent_day_time on dpi_agent_day (kind, time);
comment on column dpi_agent_day.kind is 'ts: ''dpi_usr'' | ''dpi_mgt''';

-- Indexes of the lists: newest first and largest first, for the platform, a VNO, a device, an account, an application. Rows of one hour or
-- day are in order of VNO, so that a page far from the start of a list begins at its VNO. The filter by application takes any carrier; the
-- columns of the scope and of the condition are included, so that rows are counted in the index.
do $$
declare
  name text;
begin
  foreach name in array array['business_flow', 'manage_flow', 'business_dpi', 'manage_dpi'] loop
    for name in select name || unit from unnest(array['_hour', '_day']) unit loop
      execute format('create index %I on %I (time desc, agent_id desc, id desc)', name || '_vno', name);
      execute format('create index %I on %I (agent_id, time desc, id desc)', name || '_agent', name);
      execute format('create index %I on %I (device_id, time desc, id desc)', name || '_device', name);
      execute format('create index %I on %I (total_bytes desc, id desc)', name || '_total', name);
      execute format('create index %I on %I (agent_id, total_bytes desc, id desc)', name || '_agent_total', name);
      if name like 'business%' then
        execute format('create index %I on %I (lower(account), time desc, id desc)', name || '_account', name);
        execute format('create index %I on %I (subscriber_id, time desc, id desc)', name || '_subscriber', name);
      end if;
      if name like '%dpi%' then
        execute format($index$create index %I on %I (
          (case when split_part(protocol_id, '.', 2) in ('', '0') then split_part(protocol_id, '.', 1) else split_part(protocol_id, '.', 2) end),
          time desc, id desc) include (agent_id, protocol_id)$index$, name || '_application', name);
      end if;
    end loop;
  end loop;
end $$;

-- Time until now is one table, named after the week since 1970 that ends it; later ranges are made ahead (server/src/db/partitions.ts), of
-- 1, 4 or 52 weeks.
do $$
declare
  week bigint := (floor(extract(epoch from now()))::bigint + 600) / 604800 + 1;
  part record;
  until bigint;
begin
  for part in select * from (values
    ('device_load', 1), ('device_track', 1), ('device_flow', 1), ('user_flow', 1), ('app_flow', 1), ('own_flow', 1), ('own_app_flow', 1),
    ('business_flow_hour', 4), ('manage_flow_hour', 4), ('business_dpi_hour', 4), ('manage_dpi_hour', 4), ('flow_sum_hour', 4),
    ('business_flow_day', 52), ('manage_flow_day', 52), ('business_dpi_day', 52), ('manage_dpi_day', 52), ('flow_sum_day', 52),
    ('agent_flow_hour', 52), ('agent_flow_day', 52), ('dpi_device_day', 52), ('dpi_agent_day', 52)) as p(name, weeks)
  loop
    until := (week + part.weeks - 1) / part.weeks * part.weeks;
    execute format('create table %I partition of %I for values from (minvalue) to (%s)', part.name || '_before_' || until, part.name, until * 604800);
  end loop;
end $$;

-- Traffic of each device on its latest day (UTC+8), counted as it is stored: adding up the samples of a page took 58 ms.
create table device_flow_day (
  device_id bigint primary key references device (id) on delete cascade,
  -- Days since 1970 in UTC+8.
  day integer not null,
  bytes bigint not null
) with (fillfactor = 70);

-- Traffic of a device on a day of UTC+8, from four sources that must agree. It belongs to the VNO of that time.
create table traffic_day (
  device_id bigint not null,
  agent_id bigint not null references agent (id),
  day integer not null,
  link_bytes bigint not null default 0,
  user_bytes bigint not null default 0,
  own_bytes bigint not null default 0,
  charged_bytes bigint not null default 0,
  overrun_bytes bigint not null default 0,
  -- Whether an event was raised for a difference.
  noted_at bigint,
  update_at bigint not null,
  -- Ended days whose traffic was compared. A day that changed later is compared again.
  checked_at bigint,
  primary key (device_id, day, agent_id)
);
create index traffic_day_day on traffic_day (day);
create index traffic_day_unchecked on traffic_day (day) where checked_at is null or checked_at <= update_at;

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
create index traffic_dirty_marked on traffic_dirty (kind, marked_at);
comment on column traffic_dirty.kind is 'ts: ''flow_usr'' | ''flow_mgt'' | ''dpi_usr'' | ''dpi_mgt''';

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
insert into traffic_state (kind, as_of) select unnest(array['flow_usr', 'flow_mgt', 'dpi_usr', 'dpi_mgt']), 0;

create table dpi_task (
  id bigint generated by default as identity primary key,
  task_no text not null unique,
  device_id bigint references device (id) on delete set null,
  -- Owner and names at the time of the order: a device that changes hands leaves its tasks behind.
  agent_id bigint not null,
  sn text not null,
  device_name text not null,
  operate text not null check (operate in ('estimate', 'report')),
  data_type text not null check (data_type in ('flow_usr', 'flow_mgt', 'dpi_usr', 'dpi_mgt')),
  mode text not null check (mode in ('continuous', 'single')),
  method text not null check (method in ('immediate', 'appointment')),
  report_at bigint,
  start_at bigint,
  end_at bigint,
  -- KB/s and bytes; 0 is unlimited.
  limit_speed integer not null default 0 check (limit_speed >= 0),
  limit_flow bigint not null default 0 check (limit_flow >= 0),
  estimate_size bigint,
  size bigint,
  progress smallint not null default 0,
  status smallint not null default 0 check (status between 0 and 10),
  ended boolean not null default false,
  -- Key of a known reason, or the text of the gateway.
  err text,
  -- Next step of the console while no command is open: a start, a retry or an import.
  next_at bigint not null,
  tries smallint not null default 0,
  command_id text,
  -- Revision of the section that starts a continuous report.
  section_rev integer,
  -- Last report of a continuous task.
  last_at bigint,
  last_bytes bigint,
  -- The upload stays the same over all tries, so a later try resumes it.
  upload_id text unique,
  -- Bytes of uploads that were discarded; they count against limit_flow.
  used_bytes bigint not null default 0,
  file_size bigint,
  file_sha256 text,
  file_key text,
  -- What the gateway says about its file.
  said_sha256 text,
  -- End of the data in the file if the traffic limit cut it off.
  cut_at bigint,
  batch_count integer,
  operator text not null,
  uid bigint,
  create_at bigint not null,
  update_at bigint not null,
  check (mode = 'continuous' or (start_at is not null and end_at is not null and start_at < end_at)),
  check (method = 'immediate' or report_at is not null)
);
create index dpi_task_list on dpi_task (agent_id, create_at desc, id desc);
create index dpi_task_newest on dpi_task (create_at desc, id desc);
create index dpi_task_device on dpi_task (device_id, create_at desc, id desc);
create index dpi_task_command on dpi_task (command_id) where command_id is not null;
create index dpi_task_due on dpi_task (next_at) where not ended and command_id is null;
-- Continuous tasks that have ended and are still in the section of their device.
create index dpi_task_section on dpi_task (device_id) where ended and section_rev is not null;
-- One continuous report of a kind of data at a device.
create unique index dpi_task_continuous_key on dpi_task (device_id, data_type) where not ended and mode = 'continuous';
-- Uploads that the gateway reported and the file exchange does not have.
create index dpi_task_awaited on dpi_task (update_at) where not ended and said_sha256 is not null and file_sha256 is null;
comment on column dpi_task.operate is 'ts: ''estimate'' | ''report''';
comment on column dpi_task.data_type is 'ts: ''flow_usr'' | ''flow_mgt'' | ''dpi_usr'' | ''dpi_mgt''';
comment on column dpi_task.mode is 'ts: ''continuous'' | ''single''';
comment on column dpi_task.method is 'ts: ''immediate'' | ''appointment''';
comment on column dpi_task.status is 'ts: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10';
