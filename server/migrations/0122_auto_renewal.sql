-- Automatic renewal from the balance. After a refusal it is tried again later, or when the balance covers the price.
alter table subscriber add column auto_renew boolean not null default false, add column renew_refused_at bigint,
  add column renew_price numeric(12, 2);
create index subscriber_renewal on subscriber (id) where auto_renew;
