-- New devices wait for approval unless their VNO approves them automatically.
alter table agent add column enrol_auto boolean not null default false;

-- 5: waiting for approval, 6: rejected. The claimant is another box that asked with the same SN.
alter table device drop constraint device_status_check;
alter table device
  add constraint device_status_check check (status between 0 and 6),
  add column claim_hardware_id text;
comment on column device.status is 'ts: 0 | 1 | 2 | 3 | 4 | 5 | 6';
create index device_waiting_idx on device (agent_id) where status = 5;

-- Roles that may reset a binding may also decide on new devices.
update role
set permissions = permissions || jsonb_build_object('post_device/approve', permissions -> 'post_device/reset_binding',
  'post_device/reject', permissions -> 'post_device/reset_binding')
where permissions ? 'post_device/reset_binding';
