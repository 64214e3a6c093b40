-- Signed texts that have opened a session of the portal. A text is kept until it expires, also after its session ended.
create table portal_handover (
  hash text primary key,
  expire_at bigint not null
);
create index portal_handover_expiry on portal_handover (expire_at);
