-- What pages of a gateway show and do: the newest reading of each, and what deeds said while they ran.

-- The newest that was read of a page. `asked_at` is when the console asked, `at` is by the gateway's own clock: one that comes late and is
-- older changes nothing.
create table page_reading (
  device_id bigint not null references device (id) on delete cascade,
  page text not null,
  asked_at bigint not null,
  at bigint not null,
  seen_at bigint not null,
  rows jsonb not null,
  total integer,
  more boolean not null default false,
  bytes integer not null, -- on the air
  primary key (device_id, page)
);

-- Lines of a deed, from `n` on. The key drops what comes twice; order is made when they are read.
create table command_output (
  command_id text not null references device_command (id) on delete cascade,
  n integer not null,
  text text not null,
  at bigint not null,
  primary key (command_id, n)
);

create index device_command_run on device_command (device_id, (args ->> 'page'), create_at desc) where op = 'page.run';
create index device_command_read on device_command (device_id, create_at desc) where op = 'page.read';

-- Terminals to the modem and to the antenna, with what the operator promised when they were opened.
alter table remote_session drop constraint remote_session_service_check;
alter table remote_session add constraint remote_session_service_check check (service in ('router', 'ac', 'antenna', 'telnet', 'modem', 'acu'));
alter table remote_session
  add column reason text,
  add column encoding text not null default 'utf8' check (encoding in ('utf8', 'gbk', 'latin1')),
  add column read_only boolean not null default false,
  -- May go over a link that is billed by volume.
  add column lband boolean not null default false;

comment on column page_reading.rows is 'ts: readonly Readonly<Record<string, unknown>>[]';
comment on column remote_session.service is 'ts: import(''@farlink/contract/device/remote.ts'').RemoteService';
comment on column remote_session.encoding is 'ts: ''utf8'' | ''gbk'' | ''latin1''';
