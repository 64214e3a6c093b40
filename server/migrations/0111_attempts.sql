-- Attempts with a password, code or card. Each is counted before it is checked.
create table attempt (
  name text primary key,
  count integer not null,
  update_at bigint not null
);
create index attempt_age on attempt (update_at);

-- Clients of the portal that have logged in to an account: the failures of strangers do not count for them.
create table portal_known_client (
  subscriber_id bigint not null references subscriber (id) on delete cascade,
  client_hash text not null,
  login_at bigint not null,
  primary key (subscriber_id, client_hash)
);
create index portal_known_client_age on portal_known_client (login_at);
