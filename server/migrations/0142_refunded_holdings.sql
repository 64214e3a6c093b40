-- A package whose payment was refunded is no expired package.
alter table holding add column refunded_at bigint,
  drop constraint holding_state_check,
  add constraint holding_state_check check (state in ('to_be_used', 'normal', 'expired', 'not_active', 'exhausted', 'refunded')) not valid;
comment on column holding.state is 'ts: import(''@farlink/contract/user/choices.ts'').HoldingStatus';
