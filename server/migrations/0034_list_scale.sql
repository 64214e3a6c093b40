-- Lists at a million rows, part two: counters that lists sort and filter by, and one index for each filter that few rows match.

-- VNOs: how many devices and cards each has.
alter table agent add column device_count integer not null default 0, add column card_count integer not null default 0;
update agent a set
  device_count = (select count(*) from device d where d.agent_id = a.id),
  card_count = (select count(*) from recharge_card c where c.agent_id = a.id);

-- Rows are locked in the order of their ids, so that two statements never wait for each other.
create function count_agent_devices() returns trigger language plpgsql as $$
begin
  perform from agent where id in (select agent_id from changed) order by id for no key update;
  update agent a set device_count = a.device_count + case tg_op when 'INSERT' then c.n else -c.n end
    from (select agent_id, count(*) n from changed group by agent_id) c where a.id = c.agent_id;
  return null;
end $$;
create trigger device_count_insert after insert on device referencing new table as changed
  for each statement execute function count_agent_devices();
create trigger device_count_delete after delete on device referencing old table as changed
  for each statement execute function count_agent_devices();
create function count_agent_device_move() returns trigger language plpgsql as $$
begin
  perform from agent where id in (old.agent_id, new.agent_id) order by id for no key update;
  update agent set device_count = device_count - 1 where id = old.agent_id;
  update agent set device_count = device_count + 1 where id = new.agent_id;
  return null;
end $$;
create trigger device_count_move after update of agent_id on device for each row
  when (old.agent_id <> new.agent_id) execute function count_agent_device_move();

create function count_agent_cards() returns trigger language plpgsql as $$
begin
  perform from agent where id in (select agent_id from changed) order by id for no key update;
  update agent a set card_count = a.card_count + case tg_op when 'INSERT' then c.n else -c.n end
    from (select agent_id, count(*) n from changed group by agent_id) c where a.id = c.agent_id;
  return null;
end $$;
create trigger card_count_insert after insert on recharge_card referencing new table as changed
  for each statement execute function count_agent_cards();
create trigger card_count_delete after delete on recharge_card referencing old table as changed
  for each statement execute function count_agent_cards();

-- Packages: how often each was bought.
alter table package add column used_count integer not null default 0;
update package p set used_count = (select count(*) from holding h where h.package_id = p.id);
create index package_used on package (used_count, id);
create function count_package_holdings() returns trigger language plpgsql as $$
begin
  perform from package where id in (select package_id from changed) order by id for no key update;
  update package p set used_count = p.used_count + case tg_op when 'INSERT' then c.n else -c.n end
    from (select package_id, count(*) n from changed group by package_id) c where p.id = c.package_id;
  return null;
end $$;
create trigger holding_count_insert after insert on holding referencing new table as changed
  for each statement execute function count_package_holdings();
create trigger holding_count_delete after delete on holding referencing old table as changed
  for each statement execute function count_package_holdings();

-- What accounts hold: the end of a holding follows from its package and is stored, so that lists can filter and sort by it.
alter table holding add column ends_at bigint;
update holding h set ends_at = least(h.expire_at, h.activated_at + p.time_capacity::bigint *
    case p.time_unit when 'minute' then 60 when 'hour' then 3600 else 86400 end)
  from package p where p.id = h.package_id;
create index holding_end on holding (ends_at, id);

-- Bills: each list asks for one channel, or for openings.
drop index ledger_entry_income;
drop index ledger_entry_net;
drop index ledger_entry_user;
create index ledger_entry_income on ledger_entry (channel, income, id);
create index ledger_entry_net on ledger_entry (channel, net_income, id);
create index ledger_entry_user on ledger_entry (channel, user_name, id);
create index ledger_entry_bill on ledger_entry (channel, bill_no, id);
create index ledger_entry_type on ledger_entry (channel, expense_type, create_at desc, id desc);
create index ledger_entry_method on ledger_entry (channel, pay_method, create_at desc, id desc);
create index ledger_entry_state on ledger_entry (channel, state, create_at desc, id desc) where state <> 'settled';
create index ledger_entry_opening_income on ledger_entry (income, id) where expense_type = 'open';
create index ledger_entry_opening_net on ledger_entry (net_income, id) where expense_type = 'open';
create index ledger_entry_opening_method on ledger_entry (pay_method, create_at desc, id desc) where expense_type = 'open';
-- An order becomes one bill, and a bill is reversed once. With unique indexes a list of orders skips its joins with bills; a partial one
-- would not do, so a reversal is found by the bill that it reverses.
update ledger_entry set order_id = null where order_id is not null and reverses_id is not null;
drop index ledger_entry_order;
drop index ledger_entry_reverses;
create unique index ledger_entry_order on ledger_entry (order_id);
create unique index ledger_entry_reverses on ledger_entry (reverses_id);
create index pay_order_state on pay_order (state, create_at desc, id desc);
create index pay_order_package on pay_order (package_id, create_at desc, id desc);
create index pay_order_type on pay_order (expense_type, create_at desc, id desc);

-- Cards by what they are bound to.
create index recharge_card_bind on recharge_card
  ((case when device_id is not null then 'device' when device_group_id is not null then 'group' else 'none' end), create_at desc, id desc);

-- With the owner in the index of the default order, a deep page of a VNO skips entries of the index alone.
drop index recharge_card_time;
create index recharge_card_time on recharge_card (create_at desc, id desc) include (agent_id);
drop index ledger_entry_opening;
create index ledger_entry_opening on ledger_entry (create_at desc, id desc) include (agent_id) where expense_type = 'open';
drop index subscriber_type;
create index subscriber_type on subscriber (account_type, create_at desc, id desc) include (agent_id);
drop index wan_link_log_time;
create index wan_link_log_time on wan_link_log (create_at desc, id desc) include (agent_id);

-- Searches for a version, a model, a merchant code or a producer.
drop index device_sn_like;
create index device_search on device using gin (sn gin_trgm_ops, version gin_trgm_ops, model gin_trgm_ops, merchant_code gin_trgm_ops);
create index device_backup_search on device_backup using gin (sn gin_trgm_ops, version gin_trgm_ops);
create index subscriber_producer on subscriber using gin (producer gin_trgm_ops) where account_type = 'temp_card';

-- Link changes that failed, or under a lock.
create index wan_change_result on wan_change (source, result, create_at desc, id desc);
create index wan_change_lock on wan_change (source, link_lock, create_at desc, id desc);

-- Phones by their first digits. Trigrams leave out the plus sign, so they cannot tell these apart.
create index subscriber_phone on subscriber (phone text_pattern_ops);

-- The operator log: modules, actions, and addresses by their first digits.
create index syslog_module on syslog (module, create_at desc, id desc) include (agent_id);
create index syslog_action on syslog (action, create_at desc, id desc) include (agent_id);
create index syslog_agent_username on syslog (agent_id, username, create_at desc, id desc);
create index syslog_ip on syslog (ip text_pattern_ops);
drop index syslog_search;
create index syslog_search on syslog using gin (content_zh gin_trgm_ops, content_en gin_trgm_ops, username gin_trgm_ops);
