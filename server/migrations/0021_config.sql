-- The configuration of gateways: drafts, what was applied, and every revision there was. Secrets in documents are sealed.

create table config_draft (
  device_id bigint not null references device (id) on delete cascade,
  section text not null,
  uid bigint not null,
  operator text not null,
  base_rev integer not null,
  doc jsonb not null,
  source text not null default 'edit',
  update_at bigint not null,
  primary key (device_id, section, uid)
);

create table config_apply (
  id bigint generated always as identity primary key,
  key text not null unique, -- by which the gateway knows it
  device_id bigint not null references device (id) on delete cascade,
  agent_id bigint not null,
  -- 0 waits, 1 sent, 2 on trial, 3 applied, 4 refused, 5 rolled back by the gateway, 6 joined a later one, 7 withdrawn
  state smallint not null default 0 check (state between 0 and 7),
  source text not null,
  keep smallint not null default 0, -- seconds within which the gateway must be reached again; 0: it need not
  pages text[] not null,
  bytes integer not null,
  err text,
  uid bigint,
  operator text,
  note text,
  campaign_id bigint,
  create_at bigint not null,
  handed_at bigint, -- given to a connection: from here on the gateway may know of it
  sent_at bigint, -- taken by the gateway
  trial_at bigint,
  finish_at bigint
);
create index config_apply_device on config_apply (device_id, create_at desc, id desc);
create index config_apply_open on config_apply (device_id) where state < 3;
create index config_apply_campaign on config_apply (campaign_id) where campaign_id is not null;

-- A device that changed hands has revisions at its gateway that nobody here remembers: new ones are counted on from them.
alter table device add column config_floor integer not null default 0;

alter table desired_section add column apply_id bigint references config_apply (id);

create index desired_section_apply on desired_section (apply_id) where apply_id is not null;

create table config_revision (
  device_id bigint not null references device (id) on delete cascade,
  section text not null,
  rev integer not null,
  apply_id bigint not null references config_apply (id) on delete cascade,
  hash text not null,
  doc jsonb not null,
  -- Fields, or rows and fields of rows (`key`, `key.field`), that are the device's own and follow no template.
  own text[] not null default '{}',
  source text not null,
  operator text,
  note text,
  create_at bigint not null,
  primary key (device_id, section, rev)
);

create index config_revision_apply on config_revision (apply_id);

-- Contents that documents name by their hash. They are kept once, whoever brought them; those of secrets are sealed.
create table config_file (
  sha256 text not null,
  sealed boolean not null,
  size bigint not null,
  create_at bigint not null,
  primary key (sha256, sealed)
);

comment on column config_apply.state is 'ts: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7';
comment on column config_apply.source is 'ts: import(''@farlink/contract/config/config.ts'').ApplySource';
comment on column config_revision.source is 'ts: import(''@farlink/contract/config/config.ts'').ApplySource';
comment on column config_draft.source is 'ts: import(''@farlink/contract/config/config.ts'').ApplySource';
comment on column config_draft.doc is 'ts: import(''@farlink/gateway/protocol/shape.ts'').JsonObject';
comment on column config_revision.doc is 'ts: import(''@farlink/gateway/protocol/shape.ts'').JsonObject';
