-- Background jobs, exports, messages on their way out, one-time codes.

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
  -- Whoever runs it holds this token until lease_until; nobody else can finish it.
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
  check ((state = 'running') = (owner is not null))
);
create index job_open on job (run_at, id) where state in ('waiting', 'running');
create index job_finished on job (finish_at) where finish_at is not null;
create index job_customer on job (customer_id);
create index job_agent on job (agent_id);

create table export_task (
  id bigint generated always as identity primary key,
  customer_id bigint references customer (id) on delete set null,
  agent_id bigint references agent (id) on delete set null,
  job_id bigint references job (id) on delete set null,
  title_zh text not null,
  title_en text not null,
  call text not null,
  format text not null check (format in ('csv', 'xlsx')),
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
  finish_at bigint
);
create index outbox_time on outbox (create_at);

-- The built-in SMS sender: messages end here, readable, and reach nobody.
create table sms_outbox (
  id bigint generated always as identity primary key,
  phone text not null,
  body text not null,
  create_at bigint not null
);
create index sms_outbox_time on sms_outbox (create_at);

create table sms_code (
  id bigint generated always as identity primary key,
  type text not null,
  phone text not null,
  salt text not null,
  code_hash text not null,
  tries smallint not null default 0,
  create_at bigint not null,
  expire_at bigint not null,
  used_at bigint
);
create index sms_code_phone on sms_code (phone, create_at);
create index sms_code_time on sms_code (create_at);

create table captcha (
  id text primary key,
  answer_hash text not null,
  expire_at bigint not null
);
create index captcha_expire on captcha (expire_at);

comment on column job.state is 'ts: ''waiting'' | ''running'' | ''done'' | ''failed'' | ''cancelled''';
comment on column job.lang is 'ts: import(''@farlink/contract/kit/text.ts'').Lang';
comment on column job.rights is 'ts: import(''../kit/ctx.ts'').SessionInfo';
comment on column export_task.format is 'ts: ''csv'' | ''xlsx''';
comment on column export_task.state is 'ts: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10';
comment on column export_task.payload is 'ts: import(''../kit/export-task.ts'').ExportPayload';
comment on column outbox.channel is 'ts: ''sms'' | ''mail''';
comment on column outbox.state is 'ts: ''waiting'' | ''sent'' | ''failed''';
