-- Limits that a NAS of another maker really enforces.

alter table nas drop constraint nas_vendor_check;
alter table nas add constraint nas_vendor_check
  check (vendor in ('standard', 'mikrotik', 'chillispot', 'cisco', 'huawei', 'aruba', 'ruckus'));
comment on column nas.vendor is 'ts: ''standard'' | ''mikrotik'' | ''chillispot'' | ''cisco'' | ''huawei'' | ''aruba'' | ''ruckus''';
-- A session whose change of service the NAS refuses is ended, so that the user logs in again with the new service.
alter table nas add column end_refused boolean not null default true;

-- A change that was refused or not answered is sent again at this time.
alter table coa_task add column due_at bigint not null default 0;

-- `grant_*` is what the NAS has confirmed: the Accept, and each acknowledged change.
alter table online_session
  -- The NAS did not accept the last change: since when, and its Error-Cause; null cause: no reply.
  add column not_enforced_at bigint,
  add column not_enforced_cause integer,
  -- Bytes beyond earlier limits of this session.
  add column overshoot_bytes bigint not null default 0,
  -- When the limit of a NAS without byte limits will be reached at the last known rate.
  add column limit_at bigint;
create index online_session_limit on online_session (limit_at) where limit_at is not null and logout_at is null;
create index online_session_not_enforced on online_session (nas_id) where not_enforced_at is not null and logout_at is null;

alter table service_event drop constraint service_event_kind_check;
alter table service_event add constraint service_event_kind_check
  check (kind in ('activated', 'reminder', 'exhausted', 'expired', 'next_package', 'slow_down', 'stop', 'lifted', 'overrun', 'enforced', 'not_enforced'));
comment on column service_event.kind is 'ts: ''activated'' | ''reminder'' | ''exhausted'' | ''expired'' | ''next_package'' | ''slow_down'' | ''stop'' | ''lifted'' | ''overrun'' | ''enforced'' | ''not_enforced''';
-- The NAS that confirmed or refused a change.
alter table service_event add column nas_name text, add column error_cause integer;
