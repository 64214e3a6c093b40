-- Pages of audit data: indexes of their filters and sorts, accesses, legal holds, erasures.

do $$
declare
  kind text;
begin
  foreach kind in array array['auth', 'identity', 'url', 'forum', 'mail'] loop
    execute format('create index audit_%1$s_ip on audit_%1$s (ip, at desc, id desc)', kind);
  end loop;
end $$;

create index audit_auth_login on audit_auth (login_at, id);
create index audit_auth_logout on audit_auth (logout_at, id);
create index audit_auth_name on audit_auth (name_index, at desc, id desc) where name_index is not null;
create index audit_auth_phone on audit_auth (phone_index, at desc, id desc) where phone_index is not null;
create index audit_identity_app on audit_identity (app_name, at desc, id desc);
create index audit_identity_identity on audit_identity (identity, at desc, id desc);
create index audit_url_category on audit_url (category, at desc, id desc) where category is not null;
create index audit_forum_name on audit_forum (forum_name, at desc, id desc);
create index audit_forum_author on audit_forum (author, at desc, id desc) where author is not null;
create index audit_forum_title on audit_forum (title_index, at desc, id desc) where title_index is not null;
create index audit_mail_size on audit_mail (size, id);
create index audit_mail_sender on audit_mail (sender_index, at desc, id desc) where sender_index is not null;
create index audit_mail_subject on audit_mail (subject_index, at desc, id desc) where subject_index is not null;
create index audit_mail_receiver on audit_mail using gin (receiver_index);

create unique index audit_terminal_state_id on audit_terminal_state (id);
create index audit_terminal_state_first on audit_terminal_state (first_at, id);
create index audit_terminal_state_last_id on audit_terminal_state (last_at desc, id desc);
create index audit_terminal_state_ssid on audit_terminal_state (ssid, last_at desc, id desc) where ssid is not null;

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
comment on column audit_look.page is 'ts: AuditPage';
comment on column audit_look.action is 'ts: ''list'' | ''reveal'' | ''export'' | ''export_clear''';
create index audit_look_at on audit_look (create_at desc, id desc);
create index audit_look_agent on audit_look (agent_id, create_at desc, id desc);
create index audit_look_username on audit_look (username text_pattern_ops, create_at desc, id desc);

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
