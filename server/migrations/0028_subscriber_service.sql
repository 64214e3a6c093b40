-- A policy change is pending until a gateway confirms it.
alter table policy_log drop constraint policy_log_result_check,
  add constraint policy_log_result_check check (result in ('pending', 'success', 'fail'));
comment on column policy_log.result is 'ts: ''pending'' | ''success'' | ''fail''';

-- Until now no gateway was asked, so these results were never reported by one.
update policy_log set result = 'pending', message_zh = null, message_en = null where message_zh = '设备未连接，未下发';
-- Only demo data could write these rows.
delete from policy_log where operator = '系统 System';
delete from sync_log;
