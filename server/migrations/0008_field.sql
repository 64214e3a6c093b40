-- The field: who a gateway is, what is wanted of it, what it says.

alter table device
  add column status smallint not null default 0 check (status between 0 and 4),
  add column merchant_code text, -- the code that the gateway presented
  add column hardware_id text,
  add column model text,
  -- SHA-256 of the device key, its last characters for people, and when it first opened the door: until then it may be issued again.
  add column key_hash text,
  add column key_hint text,
  add column key_used_at bigint,
  add column auth_status text not null default 'formal' check (auth_status in ('formal', 'test', 'expired', 'suspended')),
  add column auth_expire_at bigint,
  add column online_state smallint not null default 0 check (online_state in (0, 1)),
  -- The connection that speaks for the gateway, and the process that holds it.
  add column conn_id text,
  add column conn_node text,
  add column boot text,
  add column boot_at bigint,
  add column version text,
  add column version_past text,
  add column caps text[] not null default '{}',
  add column current_link text,
  add column network text not null default 'unknown' check (network in ('unknown', '6d', 'l_band', 'lte', 'low_orbit')),
  add column docker_status smallint not null default 0 check (docker_status between 0 and 4),
  add column opt_status text not null default 'uninitialized' check (opt_status in ('uninitialized', 'initialized', 'update_available')),
  add column intranet_ip text,
  add column clock_skew bigint, -- seconds that the gateway's clock was ahead when it last came
  -- One hash over the sections that it holds, as far as it has said so; and the one that it last claimed instead.
  add column shadow_hash text,
  add column shadow_odd text,
  add column online_at bigint,
  add column offline_at bigint,
  add column offline_reason text,
  add column access_at bigint;
create index device_conn_node on device (conn_node) where online_state = 1;

-- Processes that hold connections; one that stopped beating has lost them.
create table field_node (
  id text primary key,
  beat_at bigint not null
);

-- How a gateway is now. Written all the time, so it stands beside the device and not in it.
create table device_status (
  device_id bigint primary key references device (id) on delete cascade,
  boot text not null,
  n bigint not null,
  at bigint not null,
  seen_at bigint not null,
  links jsonb not null default '{}',
  lan smallint[],
  aps jsonb,
  lat double precision,
  lon double precision,
  sog real,
  cog real,
  fix smallint,
  cpu smallint,
  memory smallint,
  online_users integer
) with (fillfactor = 70);

create table desired_section (
  device_id bigint not null references device (id) on delete cascade,
  section text not null,
  rev integer not null check (rev > 0),
  hash text not null,
  doc jsonb not null,
  -- The gateway has answered for this revision, well or badly.
  settled boolean not null default false,
  sent_at bigint,
  update_at bigint not null,
  primary key (device_id, section)
);
create index desired_section_open on desired_section (device_id) where not settled;

create table reported_section (
  device_id bigint not null references device (id) on delete cascade,
  section text not null,
  rev integer not null,
  hash text, -- of what is in force there
  ok boolean not null,
  local boolean not null,
  doc jsonb, -- what somebody made of it at the gateway itself
  err text,
  at bigint not null,
  primary key (device_id, section)
);

create table device_command (
  id text primary key,
  device_id bigint not null references device (id) on delete cascade,
  op text not null,
  args jsonb not null,
  state smallint not null default 0 check (state between 0 and 6),
  progress smallint not null default 0 check (progress between 0 and 100),
  code integer,
  out jsonb,
  err text,
  -- An answer came after the end; it changes nothing but is kept.
  late boolean not null default false,
  sends smallint not null default 0,
  deadline bigint not null,
  create_at bigint not null,
  sent_at bigint,
  ack_at bigint,
  finish_at bigint
);
create index device_command_open on device_command (device_id, create_at, id) where state = 0;
create index device_command_deadline on device_command (deadline) where state < 3;
create index device_command_device on device_command (device_id, create_at desc, id desc);

-- The key drops what comes twice. The owner is the one of that day: a device that changes hands leaves its past behind.
create table device_event (
  sn text not null,
  id text not null,
  device_id bigint references device (id) on delete set null,
  agent_id bigint not null,
  kind text not null,
  at bigint not null,
  reported_at bigint not null, -- by the gateway's own clock
  doc jsonb not null,
  create_at bigint not null,
  primary key (sn, id)
);
create index device_event_agent on device_event (agent_id, kind, at desc);
create index device_event_device on device_event (device_id, kind, at desc);
create index device_event_kind on device_event (kind, at desc);

-- Which batches of a stream were taken since a boot: ranges, from and to by turns.
create table device_stream (
  device_id bigint not null references device (id) on delete cascade,
  boot text not null,
  stream text not null,
  taken bigint[] not null default '{}',
  update_at bigint not null,
  primary key (device_id, boot, stream)
) with (fillfactor = 80);

create table device_load (
  device_id bigint not null,
  at bigint not null,
  cpu smallint not null,
  memory smallint not null,
  disk smallint,
  session_count integer,
  temperature smallint
);
create index device_load_time on device_load (device_id, at desc);
create index device_load_age on device_load using brin (at);

create table device_track (
  device_id bigint not null,
  at bigint not null,
  lat double precision not null,
  lon double precision not null,
  sog real,
  cog real
);
create index device_track_time on device_track (device_id, at desc);
create index device_track_age on device_track using brin (at);

create table device_flow (
  device_id bigint not null,
  at bigint not null,
  seconds integer not null,
  link text not null,
  up_bytes bigint not null,
  down_bytes bigint not null
);
create index device_flow_time on device_flow (device_id, at desc);
create index device_flow_age on device_flow using brin (at);

create table user_flow (
  device_id bigint not null,
  at bigint not null,
  seconds integer not null,
  account text not null,
  up_bytes bigint not null,
  down_bytes bigint not null
);
create index user_flow_time on user_flow (device_id, at desc);
create index user_flow_age on user_flow using brin (at);

create table app_flow (
  device_id bigint not null,
  at bigint not null,
  seconds integer not null,
  app text not null,
  account text,
  up_bytes bigint not null,
  down_bytes bigint not null
);
create index app_flow_time on app_flow (device_id, at desc);
create index app_flow_age on app_flow using brin (at);

comment on column device.status is 'ts: 0 | 1 | 2 | 3 | 4';
comment on column device.auth_status is 'ts: ''formal'' | ''test'' | ''expired'' | ''suspended''';
comment on column device.online_state is 'ts: 0 | 1';
comment on column device.network is 'ts: ''unknown'' | ''6d'' | ''l_band'' | ''lte'' | ''low_orbit''';
comment on column device.opt_status is 'ts: ''uninitialized'' | ''initialized'' | ''update_available''';
