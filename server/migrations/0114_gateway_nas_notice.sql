-- Processes with the role radius create the NAS of a gateway, and send its access, after a change instead of reading all gateways.
create function note_aaa_gateway() returns trigger language plpgsql as $$
begin
  notify farlink_radius, 'gateway';
  return null;
end $$;
create trigger device_note_aaa after insert on device for each row when (new.billing_mode in (2, 3)) execute function note_aaa_gateway();
create trigger device_note_aaa_update after update on device for each row
  when (new.billing_mode in (2, 3) and (old.billing_mode, old.caps) is distinct from (new.billing_mode, new.caps)) execute function note_aaa_gateway();
