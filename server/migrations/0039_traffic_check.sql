-- Ended days whose traffic was compared. A day that changed later is compared again.
alter table traffic_day add column checked_at bigint;
create index traffic_day_unchecked on traffic_day (day) where checked_at is null or checked_at <= update_at;
