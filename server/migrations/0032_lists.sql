-- Indexes of lists at a million rows: deep pages, scopes of VNOs, short names, offered sorts.

-- Pieces of a text between two lengths, in small letters: what a search for a name of one or two characters is found by.
create function text_grams(value text, shortest int, longest int) returns text[] language plpgsql immutable strict parallel safe as $$
declare
  found text[] := '{}';
  small text := lower(value);
begin
  for n in shortest .. longest loop
    for i in 1 .. length(small) - n + 1 loop
      found := found || substr(small, i, n);
    end loop;
  end loop;
  return found;
end $$;

-- Accounts. With the owner in the index of the default order, a deep page of a VNO skips entries of the index alone.
drop index subscriber_time;
create index subscriber_time on subscriber (create_at desc, id desc) include (agent_id);
drop index subscriber_search;
create index subscriber_search on subscriber using gin (account gin_trgm_ops, phone gin_trgm_ops, email gin_trgm_ops, bind_mac gin_trgm_ops);
drop index subscriber_grams;
create index subscriber_grams on subscriber using gin (grams(account), grams(phone), text_grams(name, 1, 3));
create index subscriber_source on subscriber (account_source, create_at desc, id desc);
create index subscriber_logins on subscriber ((allow_logins::bigint), create_at desc, id desc);
-- Empty for most accounts, and needed only when what they refer to is deleted.
drop index subscriber_prefix;
drop index subscriber_config;
drop index subscriber_application;
drop index subscriber_policy;
create index subscriber_prefix on subscriber (prefix_id) where prefix_id is not null;
create index subscriber_config on subscriber (config_id) where config_id is not null;
create index subscriber_application on subscriber (application_id) where application_id is not null;
create index subscriber_policy on subscriber (policy_id) where policy_id is not null;

-- What accounts hold.
drop index holding_time;
create index holding_time on holding (create_at desc, id desc) include (agent_id);
create index holding_start on holding (start_at, id);
create index holding_state on holding (state, create_at desc, id desc);

-- Bills. `ledger_entry_time` served no list: each asks for its channel.
drop index ledger_entry_time;
drop index ledger_entry_channel;
create index ledger_entry_channel on ledger_entry (channel, create_at desc, id desc) include (agent_id);
create index ledger_entry_income on ledger_entry (income, id);
create index ledger_entry_net on ledger_entry (net_income, id);
create index ledger_entry_user on ledger_entry (user_name, id);
drop index ledger_entry_search;
create index ledger_entry_search on ledger_entry
  using gin (bill_no gin_trgm_ops, account gin_trgm_ops, operator gin_trgm_ops, text_grams(user_name, 1, 3));
drop index pay_order_search;
create index pay_order_search on pay_order using gin (order_no gin_trgm_ops, trade_no gin_trgm_ops, text_grams(user_name, 1, 3));

-- Recharge cards.
create index recharge_card_used on recharge_card (used_at, id);
create index recharge_card_end on recharge_card (expire_at, id);
drop index recharge_card_search;
create index recharge_card_search on recharge_card using gin (number gin_trgm_ops, text_grams(used_user, 1, 3));

-- Devices.
drop index device_access;
create index device_access on device (access_at, id) include (agent_id);
drop index device_name_like;
create index device_name_like on device using gin (text_grams(name, 1, 3));

-- The operator log.
drop index syslog_time;
create index syslog_time on syslog (create_at desc, id desc) include (agent_id);
drop index syslog_username;
create index syslog_username on syslog (username, create_at desc, id desc) include (agent_id);

-- Sorts of shorter tables.
create index subscriber_temp_use on subscriber (first_use_at, id) where account_type = 'temp_card';
create index sync_log_fails on sync_log (fail_count, id);
create index policy_log_account on policy_log (account, id);
create index device_backup_file on device_backup (file_name, id);
create index device_backup_size on device_backup (size, id);
