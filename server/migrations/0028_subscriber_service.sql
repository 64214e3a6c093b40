-- A policy change is pending until a gateway confirms it.
alter table policy_log drop constraint policy_log_result_check,
  add constraint policy_log_result_check check (result in ('pending', 'success', 'fail'));
comment on column policy_log.result is 'ts: ''pending'' | ''success'' | ''fail''';

-- Until now no gateway was asked, so these results were never reported by one.
update policy_log set result = 'pending', message_zh = null, message_en = null where message_zh = '设备未连接，未下发';
-- Only demo data could write these rows.
delete from policy_log where operator = '系统 System';
delete from sync_log;

-- A shutdown that an operator reserved; the sweep makes it happen.
alter table subscriber add column shutdown_at bigint;
create index subscriber_shutdown on subscriber (shutdown_at) where shutdown_at is not null;

-- The document of the ID number.
alter table subscriber add column id_type text not null default 'id_card' check (id_type in ('id_card', 'passport', 'seafarer'));
comment on column subscriber.id_type is 'ts: import(''@farlink/contract/user/id-document.ts'').IdType';
