-- Accounts of one status by their end. Without it, a page reads over all accounts that have expired.
create index subscriber_status_expiry on subscriber (status, expire_at, id) include (agent_id);
