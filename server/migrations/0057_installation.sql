-- One row per installation (server/src/db/check-secret-key.ts).
create table installation (
  id integer primary key default 1 check (id = 1),
  -- Keyed hash that shows whether a process has the secret key of this database.
  key_mark text not null,
  create_at bigint not null
);
