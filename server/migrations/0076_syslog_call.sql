-- The call that wrote a line. The details of the line have the labels of its fields. Lines of the previous release have none.
alter table syslog add column call text;
