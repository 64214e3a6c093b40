-- Running processes (server/src/kit/process/process-node.ts). A row without a heartbeat for 30 seconds is a process that has died.
create table process_node (
  id uuid primary key,
  name text not null,
  roles text[] not null,
  version text not null,
  -- host:port at which other processes reach the HTTP server of this process; null without the role api.
  address text,
  -- Port of the web pages behind gateways on the same host; null without remote access.
  remote_web_port integer,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  figures jsonb not null default '{}'
);

-- Calls per name and minute of all processes (server/src/kit/http/rate-limit.ts). Unlogged: a crash of the database may forget one minute.
create unlogged table rate_count (
  name text primary key,
  minute bigint not null,
  count integer not null
);
create index rate_count_minute on rate_count (minute);

-- Fencing of gateway processes (server/src/field/store/fence.ts): each registration has a new number, which is checked in each commit.
create sequence field_epoch;
alter table field_node add column epoch bigint not null default nextval('field_epoch');

-- Process that sends a mail: when it dies, another one takes the mail over before the lease ends.
alter table outbox add column lease_owner uuid;
