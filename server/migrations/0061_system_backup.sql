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
comment on column system_backup.result is 'ts: ''done'' | ''failed''';
create index system_backup_started on system_backup (started_at);
