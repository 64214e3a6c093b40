-- A hand-over that was entered wrongly is reversed by a row with the opposite amount.
alter table cash_handover add column reverses_id bigint constraint cash_handover_reverses_key unique references cash_handover (id),
  drop constraint cash_handover_amount_check, add constraint cash_handover_amount_check check ((amount < 0) = (reverses_id is not null) and amount <> 0);
