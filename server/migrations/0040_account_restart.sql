-- When a gateway last lost its accounts; it cannot ask for a complete transfer all the time.
alter table account_sync add column restarted_at bigint;

-- The metering timer reads account_change every half second, so no process listens for a notification.
create or replace function note_account_changes() returns trigger language plpgsql as $$
begin
  insert into account_change (subscriber_id) select id from changed_rows;
  return null;
end $$;
create or replace function note_account_change() returns trigger language plpgsql as $$
begin
  insert into account_change (subscriber_id) values (new.id);
  return null;
end $$;
create or replace function note_holding_change() returns trigger language plpgsql as $$
begin
  insert into account_change (subscriber_id) values (coalesce(new.subscriber_id, old.subscriber_id));
  return null;
end $$;
create or replace function note_device_change() returns trigger language plpgsql as $$
begin
  insert into account_change (device_id) values (new.id);
  return null;
end $$;

-- No query uses it.
drop index online_session_counting;
