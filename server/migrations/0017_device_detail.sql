-- The page of one device: its history in the order of time, and who of an account is online now.

create index device_event_time on device_event (device_id, at desc);
create index online_session_live on online_session (subscriber_id) where logout_at is null;
