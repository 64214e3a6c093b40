-- Configuration of gateways: desired and reported sections, drafts, revisions, templates, campaigns. Secrets in documents are sealed.

create table config_apply (
  id bigint generated always as identity primary key,
  key text not null unique, -- identifies it at the gateway
  device_id bigint not null references device (id) on delete cascade,
  agent_id bigint not null,
  -- 0 waits, 1 sent, 2 on trial, 3 applied, 4 refused, 5 rolled back by the gateway, 6 joined a later one, 7 withdrawn
  state smallint not null default 0 check (state between 0 and 7),
  source text not null,
  keep smallint not null default 0, -- seconds within which the gateway must be reachable again; 0: it need not be
  pages text[] not null,
  bytes integer not null,
  err text,
  uid bigint,
  operator text,
  note text,
  campaign_id bigint,
  create_at bigint not null,
  handed_at bigint, -- given to a connection: from then on the gateway may have it
  sent_at bigint, -- received by the gateway
  trial_at bigint,
  finish_at bigint,
  -- The VNO of the operator, so that VNOs below do not see the name.
  operator_agent_id bigint
);
create index config_apply_device on config_apply (device_id, create_at desc, id desc);
create index config_apply_open on config_apply (device_id) where state < 3;
create index config_apply_campaign on config_apply (campaign_id) where campaign_id is not null;
comment on column config_apply.state is 'ts: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7';
comment on column config_apply.source is 'ts: ApplySource';

create table desired_section (
  device_id bigint not null references device (id) on delete cascade,
  section text not null,
  rev integer not null check (rev > 0),
  hash text not null,
  doc jsonb not null,
  -- The gateway has accepted or refused this revision.
  settled boolean not null default false,
  sent_at bigint,
  update_at bigint not null,
  apply_id bigint references config_apply (id),
  primary key (device_id, section)
);
create index desired_section_open on desired_section (device_id) where not settled;
create index desired_section_apply on desired_section (apply_id) where apply_id is not null;
-- Gateways that hold a checkpoint of the audit log (server/src/domain/audit/witness.ts).
create index desired_section_witness on desired_section (device_id) where section = 'audit_witness';

create table reported_section (
  device_id bigint not null references device (id) on delete cascade,
  section text not null,
  rev integer not null,
  hash text, -- of the section in force at the gateway
  ok boolean not null,
  local boolean not null,
  doc jsonb, -- as changed at the gateway itself
  err text,
  at bigint not null,
  primary key (device_id, section)
);
-- Devices that need attention are counted on each refresh of the dashboard.
create index reported_section_local on reported_section (device_id, section) where local;

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
comment on column config_revision.doc is 'ts: JsonObject';
comment on column config_revision.source is 'ts: ApplySource';

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
comment on column config_draft.doc is 'ts: JsonObject';
comment on column config_draft.source is 'ts: ApplySource';

-- Files that documents name by their hash, each stored once. Those with secrets are sealed.
create table config_file (
  sha256 text not null,
  sealed boolean not null,
  size bigint not null,
  create_at bigint not null,
  primary key (sha256, sealed)
);

-- VNOs whose operators uploaded a file of the gateway configuration: others cannot refer to it by its hash. A deleted VNO
-- keeps its rows, so that its files do not become files without an owner.
create table config_file_owner (
  sha256 text not null,
  sealed boolean not null,
  agent_id bigint not null,
  primary key (sha256, sealed, agent_id),
  foreign key (sha256, sealed) references config_file (sha256, sealed) on delete cascade
);

-- The latest reading of a page. `asked_at` is the time of the request, `at` is by the clock of the gateway: a late reading that is older
-- changes nothing.
create table page_reading (
  device_id bigint not null references device (id) on delete cascade,
  page text not null,
  asked_at bigint not null,
  at bigint not null,
  seen_at bigint not null,
  rows jsonb not null,
  total integer,
  more boolean not null default false,
  bytes integer not null, -- over the air
  primary key (device_id, page)
);
comment on column page_reading.rows is 'ts: readonly Readonly<Record<string, unknown>>[]';

create table config_template (
  id bigint generated by default as identity primary key,
  level text not null check (level in ('platform', 'vno', 'group')),
  agent_id bigint not null references agent (id) on delete cascade, -- of the group, for a template of a group
  device_group_id bigint references device_group (id),
  name text not null,
  enabled boolean not null default true,
  rank smallint not null default 100, -- among templates of the same owner; a larger one has precedence
  remark text,
  variables jsonb not null default '[]',
  pages text[] not null default '{}',
  past_pages text[] not null default '{}', -- all that it ever had: devices must get their removal too
  operator text not null,
  version integer not null default 1,
  create_at bigint not null,
  update_at bigint not null,
  constraint config_template_name_key unique (agent_id, name),
  check ((level = 'group') = (device_group_id is not null))
);
create index config_template_group on config_template (device_group_id) where device_group_id is not null;
create index config_template_order on config_template (update_at, id);
comment on column config_template.level is 'ts: ''platform'' | ''vno'' | ''group''';
comment on column config_template.variables is 'ts: readonly TemplateVariable[]';

-- Secrets in a part are sealed.
create table config_template_part (
  template_id bigint not null references config_template (id) on delete cascade,
  section text not null,
  part jsonb not null,
  primary key (template_id, section)
);
comment on column config_template_part.part is 'ts: TemplatePart';

create table config_variable (
  id bigint generated by default as identity primary key,
  level text not null check (level in ('vno', 'group', 'device')),
  agent_id bigint not null references agent (id) on delete cascade, -- of the group or device, for a variable of one
  device_group_id bigint references device_group (id) on delete cascade,
  device_id bigint references device (id) on delete cascade,
  name text not null,
  value text not null, -- sealed if it is secret
  secret boolean not null default false,
  remark text,
  operator text not null,
  version integer not null default 1,
  create_at bigint not null,
  update_at bigint not null,
  check ((level = 'group') = (device_group_id is not null)),
  check ((level = 'device') = (device_id is not null))
);
create unique index config_variable_name_key on config_variable (level, coalesce(device_id, device_group_id, agent_id), name);
create index config_variable_order on config_variable (name, id);
create index config_variable_agent on config_variable (agent_id);
create index config_variable_group on config_variable (device_group_id) where device_group_id is not null;
create index config_variable_device on config_variable (device_id) where device_id is not null;
comment on column config_variable.level is 'ts: ''vno'' | ''group'' | ''device''';

create table config_campaign (
  id bigint generated by default as identity primary key,
  kind text not null check (kind in ('template', 'bulk', 'copy')),
  agent_id bigint not null references agent (id) on delete cascade,
  title_zh text not null,
  title_en text not null,
  operator text not null,
  template_id bigint references config_template (id) on delete set null,
  spec text not null, -- the change, sealed as a whole
  pages text[] not null,
  state text not null default 'preparing' check (state in ('preparing', 'running', 'done', 'stopped', 'failed')),
  force boolean not null default false, -- also over changes that were made at gateways
  keep smallint not null,
  note text,
  message_zh text,
  message_en text,
  job_id bigint,
  device_count integer not null default 0,
  create_at bigint not null,
  finish_at bigint
);
create index config_campaign_time on config_campaign (create_at, id);
create index config_campaign_agent on config_campaign (agent_id, create_at, id);
create index config_campaign_open on config_campaign (id) where state in ('preparing', 'running');
create index config_campaign_template on config_campaign (template_id) where template_id is not null;
comment on column config_campaign.kind is 'ts: ''template'' | ''bulk'' | ''copy''';
comment on column config_campaign.state is 'ts: ''preparing'' | ''running'' | ''done'' | ''stopped'' | ''failed''';

create table config_campaign_device (
  id bigint generated always as identity primary key,
  campaign_id bigint not null references config_campaign (id) on delete cascade,
  device_id bigint references device (id) on delete set null,
  agent_id bigint not null,
  device_name text not null,
  sn text not null,
  state text not null default 'queued'
    check (state in ('queued', 'unchanged', 'waiting', 'applied', 'refused', 'invalid', 'lost', 'stopped')),
  apply_id bigint references config_apply (id) on delete set null, -- whose result counts
  page text,
  path text,
  reason_zh text,
  reason_en text,
  update_at bigint not null
);
create unique index config_campaign_device_once on config_campaign_device (campaign_id, device_id) where device_id is not null;
create index config_campaign_device_state on config_campaign_device (campaign_id, state, device_id);
create index config_campaign_device_name on config_campaign_device (campaign_id, device_name, id);
create index config_campaign_device_apply on config_campaign_device (apply_id) where apply_id is not null;
create index config_campaign_device_device on config_campaign_device (device_id) where device_id is not null;
create index config_campaign_device_failed on config_campaign_device (update_at) where state in ('refused', 'invalid', 'lost');
comment on column config_campaign_device.state is 'ts: TargetState';

-- The result of an application is the result of its device in the campaign, in the same commit. One that joined a later one is followed
-- there, as long as a part of it is still desired.
create function follow_config_campaign() returns trigger language plpgsql as $$
declare
  moved bigint[];
begin
  with gone as (
    select t.id, t.campaign_id, n.state, n.err, n.finish_at, j.next
    from news n
    join olds o on o.id = n.id
    join config_campaign_device t on t.apply_id = n.id and t.state = 'waiting'
    left join lateral (
      select a.id as next from config_apply a
      where n.state = 6 and a.device_id = n.device_id and a.id > n.id and exists (
        select from desired_section s
        join config_revision v on v.device_id = s.device_id and v.section = s.section and v.rev = s.rev
        join config_apply c on c.id = v.apply_id
        where s.apply_id = a.id and c.campaign_id = t.campaign_id)
      order by a.id limit 1
    ) j on true
    where n.state >= 3 and n.state <> o.state
  ), told as (
    update config_campaign_device t set
      apply_id = coalesce(g.next, t.apply_id),
      state = case when g.next is not null then 'waiting' when g.state = 3 then 'applied' when g.state = 4 then 'refused'
        when g.state = 5 then 'lost' else 'stopped' end,
      reason_zh = case when g.next is not null then null when g.state in (4, 5) then g.err when g.state = 6 then '被后续下发取代'
        when g.state = 7 then '下发已撤回' end,
      reason_en = case when g.next is not null then null when g.state in (4, 5) then g.err when g.state = 6 then 'Superseded by a later one'
        when g.state = 7 then 'It was withdrawn' end,
      update_at = coalesce(g.finish_at, t.update_at)
    from gone g where t.id = g.id
    returning t.campaign_id
  )
  select array_agg(distinct campaign_id) into moved from told;
  -- The last one of two that end at the same moment may not see the other: whoever sweeps does.
  if moved is not null then
    update config_campaign c set state = 'done', finish_at = (select max(t.update_at) from config_campaign_device t where t.campaign_id = c.id)
    where c.id = any (moved) and c.state = 'running'
      and not exists (select from config_campaign_device t where t.campaign_id = c.id and t.state in ('queued', 'waiting'));
  end if;
  return null;
end $$;
create trigger config_apply_campaign after update on config_apply
  referencing old table as olds new table as news for each statement execute function follow_config_campaign();
