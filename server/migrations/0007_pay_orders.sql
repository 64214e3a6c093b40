-- Which configuration an order was made with, and who had it withdrawn. A paid order with `withdraw_at` is being refunded.

alter table pay_order add column channel_id bigint references payment_channel (id) on delete set null;
alter table pay_order add column withdraw_at bigint;
alter table pay_order add column withdraw_customer_id bigint references customer (id) on delete set null;
alter table pay_order add column withdraw_operator text;
create index pay_order_channel on pay_order (channel_id);
create index pay_order_withdrawing on pay_order (withdraw_at) where state = 'paid' and withdraw_at is not null;
