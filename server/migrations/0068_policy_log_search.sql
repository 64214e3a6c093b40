-- The log of policies is searched by a part of the account, and its pages are found without the table.
create index policy_log_search on policy_log using gin (account gin_trgm_ops);
drop index policy_log_time;
create index policy_log_time on policy_log (create_at desc, id desc) include (agent_id);
