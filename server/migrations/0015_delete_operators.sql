-- Bills and orders are history: they keep the id of an operator who was deleted. With a foreign key, a deletion searched and changed all
-- bills of the operator, and a waiting order became one of the portal, because it had no operator any more.
alter table ledger_entry drop constraint ledger_entry_customer_id_fkey;
alter table pay_order drop constraint pay_order_customer_id_fkey, drop constraint pay_order_withdraw_customer_id_fkey;

-- The foreign keys that a deletion of an operator or a VNO follows in large tables.
create index subscriber_seller on subscriber (seller_id) where seller_id is not null;
create index service_event_agent on service_event (agent_id);
create index traffic_day_agent on traffic_day (agent_id);

-- agent_name_key, package_name_key, feedback_level and feedback_status begin with the same columns.
drop index agent_parent, package_agent, feedback_urgency, feedback_state;
