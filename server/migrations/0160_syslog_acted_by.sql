-- Lines of sessions on behalf of another account, for the filter of the operator log.
create index syslog_acted on syslog (create_at desc, id desc) include (agent_id) where acted_by is not null;
