-- runs with: 0016_plain_names.sql
alter table ap_link_log rename column told to from_event;
alter table notify_due rename column told_at to mailed_at;
