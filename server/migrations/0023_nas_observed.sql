-- What the server has seen of each NAS, for the check list of its page.

alter table nas
  add column login_seen_at bigint,
  add column accounting_seen_at bigint,
  -- Whether the last accounting requests returned Class; null: none yet.
  add column class_returned boolean,
  -- Clock of the NAS (Event-Timestamp) minus the time of arrival.
  add column clock_offset_s bigint;

alter table login_rejection add column nas_id bigint references nas (id) on delete set null;
create index login_rejection_nas on login_rejection (nas_id, create_at desc, id desc) where nas_id is not null;

create index coa_task_nas on coa_task (nas_id, create_at desc, id desc);
create index online_session_nas_open on online_session (nas_id, login_at desc, id desc) where source = 'aaa' and logout_at is null;
