-- The list of devices: what it is sorted and filtered by has an index, and a device that is deleted leaves its past behind.

-- In PostgreSQL's own order of nulls, so that one index serves both directions.
drop index device_list;
create index device_access on device (access_at, id);
create index device_presence on device (online_state, access_at, id);
create index device_name_order on device (name, id);
create index device_auth on device (auth_status, id);
create index device_auth_end on device (auth_expire_at, id);
create index device_accounts on device (account_count, id);
create index device_came on device (online_at, id);
create index device_left on device (offline_at, id);
-- How long a gateway has been running, whatever time it is.
create index device_run on device ((case when online_state = 1 then -boot_at end), id);
create index device_odd on device (status, id) where status <> 0;
-- Kinds of which there may be few. The network has none: it changes with every switch of links, and each of its kinds is common.
create index device_kind on device (device_type, access_at, id);
create index device_billing on device (billing_mode, access_at, id);
create index device_docker on device (docker_status, access_at, id);
create index device_opt on device (opt_status, access_at, id);
create index device_lock on device (link_lock, access_at, id);
create index device_mode on device (change_mode, access_at, id);
create index device_transferring on device (transfer_status) where transfer_status is not null;
create index device_portal on device (portal_id) where portal_id is not null;

-- Accounts lose their place. Bills, sessions and logs stay, without it; bills keep its name.
alter table subscriber drop constraint subscriber_device_id_fkey,
  add constraint subscriber_device_id_fkey foreign key (device_id) references device (id) on delete set null;
alter table online_session drop constraint online_session_device_id_fkey,
  add constraint online_session_device_id_fkey foreign key (device_id) references device (id) on delete set null;
alter table login_rejection drop constraint login_rejection_device_id_fkey,
  add constraint login_rejection_device_id_fkey foreign key (device_id) references device (id) on delete set null;
alter table policy_log drop constraint policy_log_device_id_fkey,
  add constraint policy_log_device_id_fkey foreign key (device_id) references device (id) on delete set null;
alter table pay_order drop constraint pay_order_device_id_fkey,
  add constraint pay_order_device_id_fkey foreign key (device_id) references device (id) on delete set null;
alter table ledger_entry drop constraint ledger_entry_device_id_fkey, drop constraint ledger_entry_device_group_id_fkey,
  add constraint ledger_entry_device_id_fkey foreign key (device_id) references device (id) on delete set null,
  add constraint ledger_entry_device_group_id_fkey foreign key (device_group_id) references device_group (id) on delete set null;
-- Only cards that are good for nothing any more: the others hold their device and their group fast.
alter table card_rule drop constraint card_rule_device_id_fkey, drop constraint card_rule_device_group_id_fkey,
  add constraint card_rule_device_id_fkey foreign key (device_id) references device (id) on delete set null,
  add constraint card_rule_device_group_id_fkey foreign key (device_group_id) references device_group (id) on delete set null;
alter table recharge_card drop constraint recharge_card_device_id_fkey, drop constraint recharge_card_device_group_id_fkey,
  add constraint recharge_card_device_id_fkey foreign key (device_id) references device (id) on delete set null,
  add constraint recharge_card_device_group_id_fkey foreign key (device_group_id) references device_group (id) on delete set null;
-- An exchange of accounts with a gateway says nothing without it.
alter table sync_log drop constraint sync_log_device_id_fkey,
  add constraint sync_log_device_id_fkey foreign key (device_id) references device (id) on delete cascade;

create index login_rejection_device on login_rejection (device_id) where device_id is not null;
create index policy_log_device on policy_log (device_id) where device_id is not null;
create index pay_order_device on pay_order (device_id) where device_id is not null;
create index ledger_entry_device_group on ledger_entry (device_group_id) where device_group_id is not null;
create index recharge_card_device on recharge_card (device_id) where device_id is not null;
create index recharge_card_device_group on recharge_card (device_group_id) where device_group_id is not null;

-- What is sold on a device or to a group is found from there.
create index package_devices on package using gin (device_ids);
create index package_groups on package using gin (device_group_ids);

-- By which the gateways of a VNO know the login password that it has set; the password itself they do not get.
alter table agent add column device_login jsonb;
comment on column agent.device_login is 'ts: import(''../field/device-login.ts'').LoginProof';
