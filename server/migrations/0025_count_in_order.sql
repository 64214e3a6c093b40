-- Accounts of several devices are counted in one statement, which locks the devices in the order of its plan. Locking them by id first
-- is the order of all other transactions.
create or replace function count_device_accounts() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    perform from device where id in (select device_id from was) order by id for no key update;
    update device d set account_count = d.account_count - o.n
      from (select device_id, count(*) n from was where device_id is not null group by device_id) o where d.id = o.device_id;
  end if;
  if tg_op <> 'DELETE' then
    perform from device where id in (select device_id from now_is) order by id for no key update;
    update device d set account_count = d.account_count + o.n
      from (select device_id, count(*) n from now_is where device_id is not null group by device_id) o where d.id = o.device_id;
  end if;
  return null;
end $$;
