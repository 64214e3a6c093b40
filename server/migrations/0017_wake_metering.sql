-- Metering that has found no work for a while holds this lock and waits for a notification. It gets the lock only while no transaction that
-- adds work is open, so no row is missed. A process that is awake does not hold it, and the transactions of busy times do not notify:
-- PostgreSQL commits those one after the other.
create function wake_metering() returns trigger language plpgsql as $$
begin
  if not pg_try_advisory_xact_lock_shared(728465040) then
    notify farlink_metering;
  end if;
  return null;
end $$;
create trigger usage_wake after insert on usage for each statement execute function wake_metering();
create trigger account_change_wake after insert on account_change for each statement execute function wake_metering();
create trigger release_change_wake after insert on release_change for each statement execute function wake_metering();
create trigger account_sync_wake after insert or update on account_sync for each row when (new.is_lost) execute function wake_metering();
