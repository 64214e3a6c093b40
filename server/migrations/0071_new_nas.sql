-- Processes with the role radius add created NAS to those in memory. Other changes make them read all NAS, which takes seconds for 100,000.
create function note_new_nas() returns trigger language plpgsql as $$
begin
  notify farlink_radius, 'new_nas';
  return null;
end $$;
create trigger nas_note_insert after insert on nas for each statement execute function note_new_nas();
create or replace trigger nas_note after delete on nas for each statement execute function note_nas();
