-- When passwords of a batch were first exported or viewed. Of older batches this is unknown, so they count as revealed.
alter table card_rule add column revealed_at bigint;
update card_rule set revealed_at = create_at;
