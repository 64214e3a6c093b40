-- An order that is paid from the balance, wholly (`balance`) or with the rest by a provider. `amount` is what the provider collects. While
-- the order waits for payment, its part of the balance is reserved.
alter table pay_order add column balance_part numeric(12, 2) not null default 0,
  drop constraint pay_order_channel_check, drop constraint pay_order_amount_check, drop constraint pay_order_check,
  add constraint pay_order_channel_check check (channel in ('wechat', 'alipay', 'balance')) not valid,
  add constraint pay_order_trade_check check (state <> 'paid' or trade_no is not null or channel = 'balance') not valid,
  add constraint pay_order_amount_check check (
    balance_part >= 0 and case when channel = 'balance' then amount = 0 and balance_part > 0 else amount > 0 end) not valid;
comment on column pay_order.channel is 'ts: ''wechat'' | ''alipay'' | ''balance''';
