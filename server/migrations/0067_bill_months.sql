-- Sums of bills by VNO and month (UTC+8), kept by triggers in the transaction of each bill, so that the sums of a list do not read all bills.
-- `open` are the openings of all channels; `online` are the paid orders in the month of the order.
create table bill_month (
  list text not null,
  agent_id bigint not null references agent (id),
  month bigint not null,
  income numeric(18, 2) not null,
  expend numeric(18, 2) not null,
  discount numeric(18, 2) not null,
  net_income numeric(18, 2) not null,
  primary key (list, agent_id, month)
) partition by list (list);
-- Sums of the platform read all rows of one list.
create table bill_month_card partition of bill_month for values in ('card');
create table bill_month_counter partition of bill_month for values in ('counter');
create table bill_month_online partition of bill_month for values in ('online');
create table bill_month_open partition of bill_month for values in ('open');
comment on column bill_month.list is 'ts: ''card'' | ''counter'' | ''online'' | ''open''';

-- First second of the month in UTC+8.
create function bill_month_of(at bigint) returns bigint language sql immutable parallel safe as $$
  select extract(epoch from date_trunc('month', to_timestamp(at + 28800) at time zone 'UTC'))::bigint - 28800
$$;

-- Rows of one statement are added in one order, so that two sales never wait for each other.
create function add_entries_to_months() returns trigger language plpgsql as $$
begin
  -- A payment or a refund of these orders in another transaction is complete before their state is read.
  perform from pay_order where id in (
    select order_id from added where order_id is not null
    union select b.order_id from added a join ledger_entry b on b.id = a.reverses_id where b.order_id is not null
  ) order by id for no key update;
  insert into bill_month as m (list, agent_id, month, income, expend, discount, net_income)
  select list, agent_id, bill_month_of(create_at), sum(income), sum(expend), sum(discount), sum(net_income) from (
    select channel as list, agent_id, create_at, income, expend, discount, net_income from added where channel in ('card', 'counter')
    union all select 'open', agent_id, create_at, income, expend, discount, net_income from added where expense_type = 'open'
    union all select 'online', o.agent_id, o.create_at, a.income - o.amount, a.expend, a.discount, a.net_income
      from added a join pay_order o on o.id = a.order_id where o.state = 'paid'
    union all select 'online', o.agent_id, o.create_at, 0, a.expend, 0, -a.expend
      from added a join ledger_entry b on b.id = a.reverses_id join pay_order o on o.id = b.order_id where o.state = 'paid'
  ) figures group by 1, 2, 3 order by 1, 2, 3
  on conflict (list, agent_id, month) do update set income = m.income + excluded.income, expend = m.expend + excluded.expend,
    discount = m.discount + excluded.discount, net_income = m.net_income + excluded.net_income;
  return null;
end $$;

-- What a paid order adds to the sums. Its refund is an entry that reverses its bill.
create function add_order_to_months(paid_order pay_order, factor integer) returns void language sql as $$
  insert into bill_month as m (list, agent_id, month, income, expend, discount, net_income)
  select 'online', paid_order.agent_id, bill_month_of(paid_order.create_at), factor * coalesce(b.income, paid_order.amount),
    factor * (coalesce(b.expend, 0) + coalesce(r.expend, 0)), factor * coalesce(b.discount, 0),
    factor * (coalesce(b.net_income, 0) - coalesce(r.expend, 0))
  from (values (paid_order.id)) o (id) left join ledger_entry b on b.order_id = o.id left join ledger_entry r on r.reverses_id = b.id
  on conflict (list, agent_id, month) do update set income = m.income + excluded.income, expend = m.expend + excluded.expend,
    discount = m.discount + excluded.discount, net_income = m.net_income + excluded.net_income
$$;
create function add_orders_to_months() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.state = 'paid' then perform add_order_to_months(old, -1); end if;
  if tg_op <> 'DELETE' and new.state = 'paid' then perform add_order_to_months(new, 1); end if;
  return null;
end $$;

create trigger ledger_entry_months after insert on ledger_entry referencing new table as added
  for each statement execute function add_entries_to_months();
create trigger pay_order_months after insert or delete or update of agent_id, state, amount, create_at on pay_order
  for each row execute function add_orders_to_months();
-- An entry keeps its order and the entry that it reverses.
create trigger ledger_entry_links_fixed before update of order_id, reverses_id on ledger_entry
  for each row when (old.order_id is distinct from new.order_id or old.reverses_id is distinct from new.reverses_id)
  execute function refuse_ledger_change();

-- Sums of all bills, made from the bills themselves.
create view bill_month_of_bills as
  select list, agent_id, bill_month_of(create_at) as month, sum(income) as income, sum(expend) as expend, sum(discount) as discount,
    sum(net_income) as net_income
  from (
    select channel as list, agent_id, create_at, income, expend, discount, net_income from ledger_entry where channel in ('card', 'counter')
    union all select 'open', agent_id, create_at, income, expend, discount, net_income from ledger_entry where expense_type = 'open'
    union all select 'online', o.agent_id, o.create_at, coalesce(b.income, o.amount), coalesce(b.expend, 0) + coalesce(r.expend, 0),
      coalesce(b.discount, 0), coalesce(b.net_income, 0) - coalesce(r.expend, 0)
      from pay_order o left join ledger_entry b on b.order_id = o.id left join ledger_entry r on r.reverses_id = b.id where o.state = 'paid'
  ) figures group by 1, 2, 3;
insert into bill_month (list, agent_id, month, income, expend, discount, net_income)
  select list, agent_id, month, income, expend, discount, net_income from bill_month_of_bills;

-- Far pages of the openings of a VNO.
create index ledger_entry_agent_opening on ledger_entry (agent_id, create_at desc, id desc) where expense_type = 'open';

-- `device_aaa` has the same rows.
drop index device_radius;
