-- Evidence of audit data: the log of seals, its checkpoints, verification and legal copies (server/src/domain/audit).

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
comment on column audit_leaf.type is 'ts: ''key'' | ''seal'' | ''drop'' | ''fork''';
comment on column audit_leaf.kind is 'ts: ''auth'' | ''identity'' | ''url'' | ''forum'' | ''mail'' | ''terminal''';
create index audit_leaf_period on audit_leaf (type, kind, from_at);

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
comment on column audit_verification.cause is 'ts: ''nightly'' | ''manual''';
comment on column audit_verification.state is 'ts: ''waiting'' | ''running'' | ''done'' | ''failed''';
create index audit_verification_create on audit_verification (create_at desc, id desc);

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
comment on column audit_finding.type is
  'ts: ''row_altered'' | ''row_missing'' | ''row_added'' | ''sealed_altered'' | ''batch_altered'' | ''batch_missing'' | ''batch_added'' | ''minute_missing'' | ''week_missing'' | ''week_returned'' | ''drop_early'' | ''log_altered'' | ''log_shorter'' | ''checkpoint_invalid'' | ''log_restored'' | ''log_rewritten'' | ''key_replaced'' | ''copy_damaged''';
comment on column audit_finding.kind is 'ts: ''auth'' | ''identity'' | ''url'' | ''forum'' | ''mail'' | ''terminal''';
create index audit_finding_verification on audit_finding (verification_id, id);

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
comment on column audit_held_row.kind is 'ts: ''auth'' | ''identity'' | ''url'' | ''forum'' | ''mail'' | ''terminal''';
create index audit_held_row_subscriber on audit_held_row (subscriber_id, at desc);

-- Verification reads rows by time of storing, in which they lie on disk.
do $$
declare
  kind text;
begin
  foreach kind in array array['auth', 'identity', 'url', 'forum', 'mail', 'terminal'] loop
    execute format('create index audit_%1$s_stored on audit_%1$s using brin (stored_at) with (pages_per_range = 32)', kind);
  end loop;
end $$;
