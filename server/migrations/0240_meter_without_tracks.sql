-- Reports are counted where they arrive, so the meter keeps no marks of them.
-- runs with: 0240_meter_without_tracks.sql
alter table meter drop column tracks;
