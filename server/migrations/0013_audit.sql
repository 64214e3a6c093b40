-- Audit data of gateways, and what proves it (server/src/domain/audit).
-- Partitioned by the time of storing, so that a batch is in one partition and a week is dropped with its batches.
-- The data has no foreign keys and no unique keys without device_id, so that it can be spread over several databases (server/src/db/spread).

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
create index audit_batch_open on audit_batch (stored_at) where seal is null;
create index audit_batch_seal on audit_batch (seal);
create index audit_batch_stored on audit_batch (kind, stored_at);
create index audit_batch_device on audit_batch (device_id, boot, kind, seq);
comment on column audit_batch.kind is 'ts: ''auth'' | ''identity'' | ''url'' | ''forum'' | ''mail'' | ''terminal''';

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
create index audit_auth_login on audit_auth (login_at, id);
create index audit_auth_logout on audit_auth (logout_at, id);
create index audit_auth_name on audit_auth (name_index, at desc, id desc) where name_index is not null;
create index audit_auth_phone on audit_auth (phone_index, at desc, id desc) where phone_index is not null;
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
create index audit_identity_identity on audit_identity (identity, at desc, id desc);

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
create index audit_forum_author on audit_forum (author, at desc, id desc) where author is not null;
create index audit_forum_title on audit_forum (title_index, at desc, id desc) where title_index is not null;
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
create index audit_mail_size on audit_mail (size, id);
create index audit_mail_sender on audit_mail (sender_index, at desc, id desc) where sender_index is not null;
create index audit_mail_subject on audit_mail (subject_index, at desc, id desc) where subject_index is not null;
create index audit_mail_receiver on audit_mail using gin (receiver_index);
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
create index audit_terminal_state_agent on audit_terminal_state (agent_id, last_at desc);
create index audit_terminal_state_last on audit_terminal_state (last_at desc);
create index audit_terminal_state_mac on audit_terminal_state (mac, last_at desc);
create index audit_terminal_state_account on audit_terminal_state (lower(account), last_at desc);
create unique index audit_terminal_state_id on audit_terminal_state (id);
create index audit_terminal_state_first on audit_terminal_state (first_at, id);
create index audit_terminal_state_last_id on audit_terminal_state (last_at desc, id desc);
create index audit_terminal_state_ssid on audit_terminal_state (ssid, last_at desc, id desc) where ssid is not null;
comment on column audit_terminal_state.terminal_os is 'ts: ''android'' | ''ios'' | ''windows'' | ''other''';

-- Lists count and find their rows in the index alone: the columns of the scope and of the partition are included. Otherwise each counted
-- row is read from another page of the table. Filters with few rows per value (account, MAC, IP) do not need this. Verification reads rows
-- by time of storing, in which they lie on disk.
do $$
declare
  kind text;
begin
  foreach kind in array array['auth', 'identity', 'url', 'forum', 'mail', 'terminal'] loop
    execute format('create index audit_%1$s_id on audit_%1$s (id)', kind);
    execute format('create index audit_%1$s_batch on audit_%1$s (batch, n)', kind);
    execute format('create index audit_%1$s_at on audit_%1$s (at desc, id desc) include (agent_id, device_id, stored_at)', kind);
    execute format('create index audit_%1$s_agent on audit_%1$s (agent_id, at desc, id desc) include (device_id, stored_at)', kind);
    execute format('create index audit_%1$s_device on audit_%1$s (device_id, at desc, id desc) include (agent_id, stored_at)', kind);
    execute format('create index audit_%1$s_account on audit_%1$s (lower(account), at desc, id desc)', kind);
    execute format('create index audit_%1$s_mac on audit_%1$s (mac, at desc, id desc)', kind);
    if kind <> 'terminal' then
      execute format('create index audit_%1$s_ip on audit_%1$s (ip, at desc, id desc)', kind);
    end if;
    execute format('create index audit_%1$s_stored on audit_%1$s using brin (stored_at) with (pages_per_range = 32)', kind);
  end loop;
end $$;
create index audit_url_host on audit_url (host, at desc, id desc) include (agent_id, device_id, stored_at);
create index audit_url_category on audit_url (category, at desc, id desc) include (agent_id, device_id, stored_at) where category is not null;
create index audit_identity_app on audit_identity (app_name, at desc, id desc) include (agent_id, device_id, stored_at);
create index audit_forum_name on audit_forum (forum_name, at desc, id desc) include (agent_id, device_id, stored_at);

-- Leaves of the log. Appended only; never changed, never deleted.
create table audit_leaf (
  index bigint primary key,
  -- key: signing key; seal: batches of a kind and minute; drop: a week removed by retention; fork: sealing resumed after a contradiction.
  type text not null,
  kind text,
  -- seal: begin of the minute of storing; drop: begin of the week; else the time.
  from_at bigint not null,
  batches bigint not null,
  rows bigint not null,
  -- seal: root over the batches; drop: root over the seals of the week; fork: SHA-256 of the outside checkpoint; key: public key.
  root bytea not null,
  -- drop: rule; fork: reason of the operator.
  note text,
  create_at bigint not null,
  hash bytea not null
);
create index audit_leaf_period on audit_leaf (type, kind, from_at);
comment on column audit_leaf.type is 'ts: ''key'' | ''seal'' | ''drop'' | ''fork''';
comment on column audit_leaf.kind is 'ts: ''auth'' | ''identity'' | ''url'' | ''forum'' | ''mail'' | ''terminal''';

-- Hashes of complete subtrees of the log, levels above the leaves.
create table audit_node (
  level smallint not null,
  index bigint not null,
  hash bytea not null,
  primary key (level, index)
);

-- The state of the log: one row.
create table audit_log (
  id boolean primary key default true check (id),
  origin text not null,
  public_key bytea not null,
  -- Sealed by the secret key of the installation.
  private_key text not null,
  size bigint not null default 0,
  root bytea not null,
  -- C2SP tlog-checkpoint of size and root.
  checkpoint text not null default '',
  signed_at bigint not null,
  -- Last run of the sealer.
  run_at bigint not null default 0,
  -- Why sealing is stopped, until an operator records the fork.
  stopped text,
  stopped_at bigint,
  -- The outside checkpoint that contradicts the log.
  outside text,
  -- Last copy into the bucket, its fault, and last mail.
  anchored_at bigint not null default 0,
  anchor_fault text,
  mailed_at bigint not null default 0,
  -- Storing times before this were verified by the nightly job; older days are verified again in turn.
  verified_to bigint not null default 0,
  again_from bigint not null default 0
);
comment on column audit_log.stopped is 'ts: ''shorter'' | ''inconsistent'' | ''foreign'' | ''unreadable''';

create table audit_verification (
  id bigint generated always as identity primary key,
  cause text not null,
  from_at bigint not null,
  to_at bigint not null,
  state text not null,
  -- Verified until here: number of the kind and time of storing.
  done_kinds integer not null default 0,
  done_to bigint not null,
  progress integer not null default 0,
  row_count bigint not null default 0,
  batch_count bigint not null default 0,
  finding_count bigint not null default 0,
  log_size bigint,
  operator text,
  create_at bigint not null,
  finish_at bigint
);
create index audit_verification_create on audit_verification (create_at desc, id desc);
comment on column audit_verification.cause is 'ts: ''nightly'' | ''manual''';
comment on column audit_verification.state is 'ts: ''waiting'' | ''running'' | ''done'' | ''failed''';

create table audit_finding (
  id bigint generated always as identity primary key,
  verification_id bigint not null references audit_verification on delete cascade,
  type text not null,
  kind text,
  from_at bigint,
  to_at bigint,
  batch uuid,
  device_id bigint,
  -- Row of the batch, if it can be named.
  n integer,
  count bigint not null default 1
);
create index audit_finding_verification on audit_finding (verification_id, id);
comment on column audit_finding.type is 'ts: ''row_altered'' | ''row_missing'' | ''row_added'' | ''sealed_altered'' | ''batch_altered'' | ''batch_missing'' | ''batch_added'' | ''minute_missing'' | ''week_missing'' | ''week_returned'' | ''drop_early'' | ''log_altered'' | ''log_shorter'' | ''checkpoint_invalid'' | ''log_restored'' | ''log_rewritten'' | ''key_replaced'' | ''copy_damaged''';
comment on column audit_finding.kind is 'ts: ''auth'' | ''identity'' | ''url'' | ''forum'' | ''mail'' | ''terminal''';

-- Rows under a legal hold, copied with their proofs before their week was dropped.
create table audit_held_row (
  id bigint generated always as identity primary key,
  kind text not null,
  week bigint not null,
  batch uuid not null,
  n integer not null,
  device_id bigint not null,
  agent_id bigint not null,
  subscriber_id bigint,
  at bigint not null,
  -- Columns of the row; bytes in hex.
  content jsonb not null,
  -- Batch, seal and sibling hashes.
  proof jsonb not null,
  create_at bigint not null,
  unique (device_id, kind, batch, n)
);
create index audit_held_row_subscriber on audit_held_row (subscriber_id, at desc);
comment on column audit_held_row.kind is 'ts: ''auth'' | ''identity'' | ''url'' | ''forum'' | ''mail'' | ''terminal''';

-- Why a session looks at a page of audit data. Asked once per session and page.
create table audit_reason (
  session_id bigint not null references session (id) on delete cascade,
  page text not null,
  reason text not null,
  create_at bigint not null,
  primary key (session_id, page)
);

-- Accesses to audit data: one row per operator, page, action, filter and ten minutes.
create table audit_look (
  id bigint generated always as identity primary key,
  -- VNO of the operator.
  agent_id bigint not null,
  customer_id bigint not null,
  username text not null,
  name text not null,
  acted_by text,
  page text not null,
  action text not null,
  -- Filters without values that are sealed in the data, in both languages.
  condition_zh text not null,
  condition_en text not null,
  filter_hash text not null,
  reason text not null,
  row_count bigint not null,
  look_count integer not null,
  ip text not null,
  -- Start of the ten minutes.
  slot bigint not null,
  create_at bigint not null,
  unique (customer_id, page, action, filter_hash, slot)
);
create index audit_look_at on audit_look (create_at desc, id desc);
create index audit_look_agent on audit_look (agent_id, create_at desc, id desc);
create index audit_look_username on audit_look (username text_pattern_ops, create_at desc, id desc);
comment on column audit_look.page is 'ts: AuditPage';
comment on column audit_look.action is 'ts: ''list'' | ''reveal'' | ''export'' | ''export_clear''';

-- Legal holds against retention and erasure.
create table audit_hold (
  id bigint generated always as identity primary key,
  -- Subject of the keys ('s:' subscriber id); null: all data of the VNO.
  subject text,
  account text,
  agent_id bigint not null,
  from_at bigint not null,
  -- Null: until released.
  to_at bigint,
  reason text not null,
  creator text not null,
  create_at bigint not null,
  released_at bigint,
  release_reason text
);
create index audit_hold_agent on audit_hold (agent_id, create_at desc, id desc);
create index audit_hold_at on audit_hold (create_at desc, id desc);
create index audit_hold_open on audit_hold (subject, agent_id) where released_at is null;

-- Subscribers whose keys were deleted.
create table audit_erasure (
  id bigint generated always as identity primary key,
  agent_id bigint not null,
  subscriber_id bigint not null,
  account text not null,
  reason text not null,
  key_count integer not null,
  operator text not null,
  create_at bigint not null
);
create index audit_erasure_agent on audit_erasure (agent_id, create_at desc, id desc);
create index audit_erasure_at on audit_erasure (create_at desc, id desc);
