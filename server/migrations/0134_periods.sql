-- A package that is bought for several periods is one holding for each period, because each is metered and refunded by itself. Which of
-- how many periods of the purchase it is. Earlier holdings count as single ones.
alter table holding add column period_no smallint not null default 1, add column periods smallint not null default 1;
