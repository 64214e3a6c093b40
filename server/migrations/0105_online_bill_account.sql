-- The account that an online order is for, as it was then. A trigger sets it, so that orders of the previous release have it too.
alter table pay_order add column account text;
create function set_order_account() returns trigger language plpgsql as $$
begin
  if new.account is null then select account into new.account from subscriber where id = new.subscriber_id; end if;
  return new;
end $$;
create trigger pay_order_account before insert on pay_order for each row execute function set_order_account();
update pay_order o set account = s.account from subscriber s where s.id = o.subscriber_id;
update pay_order o set account = b.account from ledger_entry b where b.order_id = o.id and o.account is null;
create index pay_order_account_search on pay_order using gin (account gin_trgm_ops);
