-- Filters of the temporary card list: status and expiry.
create index subscriber_temp_status on subscriber (status, create_at desc, id desc) include (agent_id) where account_type = 'temp_card';
create index subscriber_temp_expiry on subscriber (expire_at, id) include (agent_id) where account_type = 'temp_card';
