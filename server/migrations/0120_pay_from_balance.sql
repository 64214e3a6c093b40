-- The part of a bill that was paid from the balance of the account; negative: returned to it. It is not income, because the money came in
-- when the balance was topped up.
alter table ledger_entry add column balance_part numeric(14, 2) not null default 0,
  drop constraint ledger_entry_pay_method_check,
  add constraint ledger_entry_pay_method_check check (pay_method in ('cash', 'wechat', 'alipay', 'pos', 'transfer', 'free', 'balance')) not valid;
-- The part of the price that a change of package returns to the balance.
alter table holding add column balance_part numeric(12, 2) not null default 0;

-- A top-up credits the balance, a refund of the balance takes from it; other bills are paid from it, or return to it.
create or replace function check_entry() returns trigger language plpgsql as $$
declare
  total numeric; gross numeric; off numeric; back numeric; part numeric; e ledger_entry;
begin
  select * into e from ledger_entry where id = new.id;
  select coalesce(sum(p.amount), 0),
    coalesce(-sum(p.amount) filter (where a.kind = 'revenue' or a.kind = 'balance' and e.expense_type = 'recharge' and e.package_id is null), 0),
    coalesce(sum(p.amount) filter (where a.kind = 'discount'), 0),
    coalesce(sum(p.amount) filter (where a.kind = 'refund' or a.kind = 'balance' and e.expense_type = 'refund'), 0),
    coalesce(sum(p.amount) filter (where a.kind = 'balance' and e.expense_type <> 'refund'
      and not (e.expense_type = 'recharge' and e.package_id is null)), 0)
    into total, gross, off, back, part
    from ledger_posting p join ledger_account a on a.id = p.account_id where p.entry_id = new.id;
  if total <> 0 then raise exception 'ledger entry % is off by %', new.id, total; end if;
  if e.reverses_id is null and e.channel <> 'stock' and (off <> e.discount or part <> e.balance_part
    or gross - back <> e.income - e.expend + part or part = 0 and gross <> e.income) then
    raise exception 'ledger entry % says % - % - % and % of the balance, its postings % - % - % and %',
      new.id, e.income, e.expend, e.discount, e.balance_part, gross, back, off, part;
  end if;
  return null;
end $$;
