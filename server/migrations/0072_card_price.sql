-- Price of its package when a temporary card was made; it is sold at this price at its first use. Null: made by an older release, or
-- another account.
alter table subscriber add column card_price numeric(12, 2);
