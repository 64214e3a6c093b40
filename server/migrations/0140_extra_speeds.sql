-- Speeds of an extra package in KB/s, 0 is unlimited; null: it keeps the speed of the package that it extends.
alter table package add column own_up_speed integer check (own_up_speed >= 0), add column own_down_speed integer check (own_down_speed >= 0);
