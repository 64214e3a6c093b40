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

-- Lengths of queues are counted from these indexes.
create index outbox_sms on outbox (next_at, id) where channel = 'sms' and state = 'waiting';
create index outbox_failed on outbox (finish_at) where state = 'failed';
create index export_task_open on export_task (create_at) where finish_at is null;
create index job_failed on job (finish_at) where state = 'failed';

-- Position in the write-ahead log after the last write of a session, for reads from a replica (server/src/kit/replica). Unlogged: after a
-- crash of the database, a read may miss the last write before it for as long as the replica lags.
create unlogged table session_write (
  session_id bigint primary key,
  lsn bigint not null,
  at bigint not null
);
