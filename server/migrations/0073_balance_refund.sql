-- A refund of a balance takes it from the balance of the subscriber, not from the revenue.
create or replace function check_entry() returns trigger language plpgsql as $$
declare
  total numeric; gross numeric; off numeric; back numeric; e ledger_entry;
begin
  select * into e from ledger_entry where id = new.id;
  select coalesce(sum(p.amount), 0),
    coalesce(-sum(p.amount) filter (where a.kind = 'revenue' or a.kind = 'balance' and e.expense_type <> 'refund'), 0),
    coalesce(sum(p.amount) filter (where a.kind = 'discount'), 0),
    coalesce(sum(p.amount) filter (where a.kind = 'refund' or a.kind = 'balance' and e.expense_type = 'refund'), 0)
    into total, gross, off, back
    from ledger_posting p join ledger_account a on a.id = p.account_id where p.entry_id = new.id;
  if total <> 0 then raise exception 'ledger entry % is off by %', new.id, total; end if;
  if e.reverses_id is null and e.channel <> 'stock' and (gross <> e.income or off <> e.discount or back <> e.expend) then
    raise exception 'ledger entry % says % - % - %, its postings % - % - %', new.id, e.income, e.expend, e.discount, gross, back, off;
  end if;
  return null;
end $$;
