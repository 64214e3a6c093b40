-- A phone counts for a password reset and is unique once a code sent to it has proved it.
-- Phones that only one account has were good for a reset so far and stay so.
alter table customer
  add column phone_verified_at bigint,
  add column phone_at bigint not null default 0;
update customer set phone_at = create_at;
update customer set phone_verified_at = update_at
where status = 1 and phone in (select phone from customer group by phone having count(*) = 1);
create unique index customer_phone_key on customer (phone) where phone_verified_at is not null;

-- One line of the operator log tells of the tries while a name is locked.
alter table login_failure add column noted boolean not null default false;

-- A read call has two rights only: invisible and show.
update role set permissions = coalesce(
  (select jsonb_object_agg(key, case when key like 'get\_%' and value = '"11"'::jsonb then '"10"'::jsonb else value end)
   from jsonb_each(permissions)), '{}'::jsonb)
where permissions::text like '%"get\_%';
