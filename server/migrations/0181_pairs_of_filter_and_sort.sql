-- Cards of one status by their use: unused cards have none, and come first or last.
create index recharge_card_status_used on recharge_card (status, used_at, id) include (agent_id);
-- Openings by bill number. The bills of other channels lie between them.
create index ledger_entry_opening_bill on ledger_entry (bill_no, id) include (agent_id) where expense_type = 'open';
-- The income is nearly the net income, so a page of both reads over most of the index; the index alone is enough for that.
drop index ledger_entry_net;
create index ledger_entry_net on ledger_entry (channel, net_income, id) include (income, agent_id);
