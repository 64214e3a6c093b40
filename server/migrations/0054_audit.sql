-- Audit data of gateways, and what proves it (server/src/domain/audit).
-- Partitioned by the time of storing, so that a batch is in one partition and a week is dropped with its batches.
-- No foreign keys and no unique keys without device_id, so that the tables can be spread over several databases.

-- Data keys of sealed values: one per subject and month. Deleting the rows of a subject makes its values unreadable.
create table audit_key (
  id bigint generated always as identity primary key,
  -- 's:' subscriber id; 'a:' device id and account without a subscriber; 'm:' MAC.
  subject text not null,
  -- Year * 100 + month, UTC+8.
  month integer not null,
  -- Key sealed by the secret key of the installation.
  wrapped text not null,
  create_at bigint not null,
  -- Since then the key cannot be opened with the secret key of the installation, and new rows use another key of the subject.
  unusable_at bigint
);
create unique index audit_key_subject on audit_key (subject, month) where unusable_at is null;
create index audit_key_subject_all on audit_key (subject);

-- A batch of a gateway and the roots of its rows, written in the commit that stores the rows.
create table audit_batch (
  id uuid primary key,
  kind text not null,
  device_id bigint not null,
  -- Owner of the device when the batch was stored.
  agent_id bigint not null,
  boot text not null,
  seq bigint not null,
  count integer not null,
  stored_at bigint not null,
  -- RFC 6962 root over the reported values of the rows.
  root bytea not null,
  -- RFC 6962 root over the values that the console added.
  added_root bytea not null,
  -- Ed25519 signature of the root by the gateway, if it has a key.
  signature bytea,
  -- Number of the seal in the log; null: not sealed yet.
  seal bigint
);
comment on column audit_batch.kind is 'ts: ''auth'' | ''identity'' | ''url'' | ''forum'' | ''mail'' | ''terminal''';
create index audit_batch_open on audit_batch (stored_at) where seal is null;
create index audit_batch_seal on audit_batch (seal);
create index audit_batch_stored on audit_batch (kind, stored_at);
create index audit_batch_device on audit_batch (device_id, boot, kind, seq);

create table audit_auth (
  id bigint generated always as identity,
  stored_at bigint not null,
  batch uuid not null,
  n integer not null,
  device_id bigint not null,
  -- Owner of the device at that time.
  agent_id bigint not null,
  subscriber_id bigint,
  at bigint not null,
  account text not null,
  ip text,
  mac text,
  auth_action text not null,
  login_at bigint,
  logout_at bigint,
  public_ip text,
  port_range text,
  -- Session of the gateway, to link to the online log.
  session_id text,
  -- Name, phone and ID number of the subscriber at that time, sealed by the key `key_id`.
  key_id bigint,
  sealed bytea,
  commitment bytea,
  added_commitment bytea,
  -- Blind indexes for exact search: 6 bytes, so that they fit a number.
  name_index bigint,
  phone_index bigint,
  id_number_index bigint
) partition by range (stored_at);
comment on column audit_auth.auth_action is 'ts: ''login'' | ''logout''';

create table audit_identity (
  id bigint generated always as identity,
  stored_at bigint not null,
  batch uuid not null,
  n integer not null,
  device_id bigint not null,
  agent_id bigint not null,
  subscriber_id bigint,
  at bigint not null,
  account text not null,
  ip text,
  mac text,
  app_name text not null,
  identity text not null,
  action text,
  server_ip text,
  server_port integer,
  key_id bigint,
  sealed bytea,
  commitment bytea,
  added_commitment bytea
) partition by range (stored_at);

create table audit_url (
  id bigint generated always as identity,
  stored_at bigint not null,
  batch uuid not null,
  n integer not null,
  device_id bigint not null,
  agent_id bigint not null,
  subscriber_id bigint,
  at bigint not null,
  account text not null,
  ip text,
  mac text,
  host text not null,
  -- Null for HTTPS: the gateway sees the host only.
  url text,
  title text,
  category text,
  server_ip text,
  server_port integer,
  key_id bigint,
  sealed bytea,
  commitment bytea,
  added_commitment bytea
) partition by range (stored_at);

create table audit_forum (
  id bigint generated always as identity,
  stored_at bigint not null,
  batch uuid not null,
  n integer not null,
  device_id bigint not null,
  agent_id bigint not null,
  subscriber_id bigint,
  at bigint not null,
  account text not null,
  ip text,
  mac text,
  forum_name text not null,
  forum_action text not null,
  author text,
  url text,
  -- Title and content.
  key_id bigint,
  sealed bytea,
  commitment bytea,
  added_commitment bytea,
  title_index bigint
) partition by range (stored_at);
comment on column audit_forum.forum_action is 'ts: ''post'' | ''reply'' | ''browse''';

create table audit_mail (
  id bigint generated always as identity,
  stored_at bigint not null,
  batch uuid not null,
  n integer not null,
  device_id bigint not null,
  agent_id bigint not null,
  subscriber_id bigint,
  at bigint not null,
  account text not null,
  ip text,
  mac text,
  direction text not null,
  attach_count integer,
  size bigint,
  -- Sender, recipients, copies and subject.
  key_id bigint,
  sealed bytea,
  commitment bytea,
  added_commitment bytea,
  sender_index bigint,
  -- Of each recipient, copies included.
  receiver_index bigint[],
  subject_index bigint
) partition by range (stored_at);
comment on column audit_mail.direction is 'ts: ''send'' | ''receive''';

-- Observations of terminals. The page shows audit_terminal_state.
create table audit_terminal (
  id bigint generated always as identity,
  stored_at bigint not null,
  batch uuid not null,
  n integer not null,
  device_id bigint not null,
  agent_id bigint not null,
  subscriber_id bigint,
  at bigint not null,
  account text,
  ip text,
  mac text not null,
  brand text,
  terminal_os text not null,
  ssid text,
  signal integer,
  key_id bigint,
  sealed bytea,
  commitment bytea,
  added_commitment bytea
) partition by range (stored_at);
comment on column audit_terminal.terminal_os is 'ts: ''android'' | ''ios'' | ''windows'' | ''other''';

-- Current state per device, MAC and owner of the device.
create table audit_terminal_state (
  id bigint generated always as identity,
  device_id bigint not null,
  mac text not null,
  agent_id bigint not null,
  subscriber_id bigint,
  account text,
  ip text,
  brand text,
  terminal_os text not null,
  ssid text,
  signal integer,
  first_at bigint not null,
  last_at bigint not null,
  primary key (device_id, mac, agent_id)
);
comment on column audit_terminal_state.terminal_os is 'ts: ''android'' | ''ios'' | ''windows'' | ''other''';
create index audit_terminal_state_agent on audit_terminal_state (agent_id, last_at desc);
create index audit_terminal_state_last on audit_terminal_state (last_at desc);
create index audit_terminal_state_mac on audit_terminal_state (mac, last_at desc);
create index audit_terminal_state_account on audit_terminal_state (lower(account), last_at desc);

do $$
declare
  kind text;
begin
  foreach kind in array array['auth', 'identity', 'url', 'forum', 'mail', 'terminal'] loop
    execute format('create index audit_%1$s_id on audit_%1$s (id)', kind);
    execute format('create index audit_%1$s_batch on audit_%1$s (batch, n)', kind);
    execute format('create index audit_%1$s_at on audit_%1$s (at desc, id desc)', kind);
    execute format('create index audit_%1$s_agent on audit_%1$s (agent_id, at desc, id desc)', kind);
    execute format('create index audit_%1$s_device on audit_%1$s (device_id, at desc, id desc)', kind);
    execute format('create index audit_%1$s_account on audit_%1$s (lower(account), at desc, id desc)', kind);
    execute format('create index audit_%1$s_mac on audit_%1$s (mac, at desc, id desc)', kind);
  end loop;
end $$;
create index audit_url_host on audit_url (host, at desc, id desc);
