-- The installation: processes, jobs, exports, outgoing messages, backups, system status.

-- One row per installation (server/src/db/check-secret-key.ts).
create table installation (
  id integer primary key default 1 check (id = 1),
  -- Keyed hash that shows whether a process has the secret key of this database.
  key_mark text not null,
  create_at bigint not null
);

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

create table job (
  id bigint generated always as identity primary key,
  kind text not null,
  payload jsonb not null,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed', 'cancelled')),
  progress smallint not null default 0 check (progress between 0 and 100),
  attempts smallint not null default 0,
  -- A second job under the same key is the first one.
  key text constraint job_key_key unique,
  run_at bigint not null,
  -- Token of the process that runs it, until lease_until. Only that process can finish it.
  owner uuid,
  lease_until bigint,
  cancel_requested boolean not null default false,
  customer_id bigint references customer (id) on delete set null,
  agent_id bigint references agent (id) on delete set null,
  lang text not null default 'zh' check (lang in ('zh', 'en')),
  rights jsonb,
  result jsonb,
  error text,
  create_at bigint not null,
  start_at bigint,
  finish_at bigint,
  -- Jobs of operators have workers of their own, and VNOs take turns. Jobs of the system take turns by kind.
  source text not null default 'system' check (source in ('system', 'operator')),
  queue text not null default '',
  check ((state = 'running') = (owner is not null))
);
create index job_open on job (run_at, id) where state in ('waiting', 'running');
create index job_finished on job (finish_at) where finish_at is not null;
create index job_customer on job (customer_id);
create index job_agent on job (agent_id);
create index job_failed on job (finish_at) where state = 'failed';
create index job_turn on job (source, queue, run_at, id) where state in ('waiting', 'running');
create index job_running on job (source, queue) where state = 'running';
create index job_waiting on job (customer_id, kind) where state = 'waiting';
comment on column job.state is 'ts: ''waiting'' | ''running'' | ''done'' | ''failed'' | ''cancelled''';
comment on column job.lang is 'ts: Lang';
comment on column job.rights is 'ts: SessionInfo';

create function set_job_queue() returns trigger language plpgsql as $$
begin
  new.source := case when new.agent_id is null then 'system' else 'operator' end;
  new.queue := coalesce(new.agent_id::text, new.kind);
  return new;
end $$;
create trigger job_queue before insert on job for each row execute function set_job_queue();

create table export_task (
  id bigint generated always as identity primary key,
  customer_id bigint references customer (id) on delete set null,
  agent_id bigint references agent (id) on delete set null,
  job_id bigint references job (id) on delete set null,
  title_zh text not null,
  title_en text not null,
  call text not null,
  format text not null check (format in ('csv', 'xlsx', 'pdf', 'zip')),
  payload jsonb not null,
  state smallint not null default 0 check (state between 0 and 10),
  progress smallint not null default 0 check (progress between 0 and 100),
  row_count bigint,
  file_name text,
  file_key text,
  file_size bigint,
  message_zh text,
  message_en text,
  create_at bigint not null,
  finish_at bigint
);
create index export_task_customer on export_task (customer_id, create_at desc, id desc);
create index export_task_agent on export_task (agent_id);
create index export_task_job on export_task (job_id);
create index export_task_file on export_task (finish_at) where file_key is not null;
create index export_task_call on export_task (call, create_at desc, id desc);
create index export_task_open on export_task (create_at) where finish_at is null;
comment on column export_task.format is 'ts: ''csv'' | ''xlsx'' | ''pdf'' | ''zip''';
comment on column export_task.payload is 'ts: ExportPayload';
comment on column export_task.state is 'ts: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10';

-- Messages that a configured sender still has to deliver; the body is sealed, and gone once it is delivered.
create table outbox (
  id bigint generated always as identity primary key,
  channel text not null check (channel in ('sms', 'mail')),
  recipient text not null,
  body text,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
  tries smallint not null default 0,
  next_at bigint not null,
  expire_at bigint,
  error text,
  create_at bigint not null,
  finish_at bigint,
  -- VNO whose mail server sends it, what it is about, and the end of the lease of its sender.
  agent_id bigint references agent (id) on delete cascade,
  about jsonb,
  lease_until bigint,
  -- Process that sends a mail: when it dies, another one takes the mail over before the lease ends.
  lease_owner uuid
);
create index outbox_time on outbox (create_at);
create index outbox_mail on outbox (next_at, id) where channel = 'mail' and state = 'waiting';
create index outbox_agent on outbox (agent_id) where agent_id is not null;
-- Lengths of queues are counted from these indexes.
create index outbox_sms on outbox (next_at, id) where channel = 'sms' and state = 'waiting';
create index outbox_failed on outbox (finish_at) where state = 'failed';
comment on column outbox.channel is 'ts: ''sms'' | ''mail''';
comment on column outbox.state is 'ts: ''waiting'' | ''sent'' | ''failed''';

-- Messages of the built-in SMS sender, readable. They are not sent.
create table sms_outbox (
  id bigint generated always as identity primary key,
  phone text not null,
  body text not null,
  create_at bigint not null
);
create index sms_outbox_time on sms_outbox (create_at);

-- Backups of the installation made by `npm run backup` (server/src/backup). Those of gateways are in `device_backup`.
create table system_backup (
  id bigint generated always as identity primary key,
  started_at bigint not null,
  -- null: still running, or ended without a result (a restored database has such a row for its own backup).
  ended_at bigint,
  -- Size of the archive.
  bytes bigint,
  -- Path of the archive on the machine that made it.
  file_name text not null,
  result text,
  -- failed: why, as one sentence.
  error text
);
create index system_backup_started on system_backup (started_at);
comment on column system_backup.result is 'ts: ''done'' | ''failed''';

-- Critical findings of the system status (server/src/domain/system-status). A row exists until its cause is gone for some minutes.
create table system_alarm (
  name text primary key,
  reason_zh text not null,
  reason_en text not null,
  found_at bigint not null,
  -- Null until the alarm is sent.
  raise_at bigint,
  -- First check without the cause; null while it lasts.
  calm_at bigint
);

-- Size of the database, once an hour, for its growth.
create table system_size (
  at bigint primary key,
  bytes bigint not null
);
