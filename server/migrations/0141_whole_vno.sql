-- An account that all gateways of its VNO hold. A device or group takes precedence.
alter table subscriber add column whole_vno boolean not null default false;
create trigger subscriber_note_whole_vno after update of whole_vno on subscriber for each row
  when (old.whole_vno is distinct from new.whole_vno) execute function note_account_change();
