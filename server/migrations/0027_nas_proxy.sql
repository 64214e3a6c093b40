-- A trusted proxy: requests with the identifier of another NAS of its VNO belong to that NAS.
alter table nas
  add column is_proxy boolean not null default false,
  -- The proxy of the last request, and the way of kicks; null: the NAS sends its requests itself.
  add column via_nas_id bigint references nas (id) on delete set null;
create index nas_via on nas (via_nas_id) where via_nas_id is not null;
