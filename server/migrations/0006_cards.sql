-- Recharge cards: the last export of each batch, and exports that are printed.

alter table card_rule add column export_id bigint references export_task (id) on delete set null;
create index card_rule_export on card_rule (export_id);
create index card_rule_package on card_rule (package_id);
create index card_rule_device on card_rule (device_id);
create index card_rule_device_group on card_rule (device_group_id);

alter table export_task drop constraint export_task_format_check;
alter table export_task add constraint export_task_format_check check (format in ('csv', 'xlsx', 'pdf'));
create index export_task_call on export_task (call, create_at desc, id desc);
comment on column export_task.format is 'ts: ''csv'' | ''xlsx'' | ''pdf''';
