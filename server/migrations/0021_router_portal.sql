-- Routers of other makers send their users to the hosted portal, which lets them in through the login page of the router.

alter table nas
  -- How the router takes a login from the portal.
  add column login_protocol text not null default 'none' check (login_protocol in ('none', 'uam', 'mikrotik')),
  -- Sealed. UAM routers sign their redirects with it.
  add column uam_secret text,
  -- Hosts of the login page of the router besides private addresses, separated by spaces.
  add column router_hosts text;
comment on column nas.login_protocol is 'ts: ''none'' | ''uam'' | ''mikrotik''';

-- The router that sent the client here, and what it said. It proves nothing: the router does that later by RADIUS.
alter table portal_session
  add column nas_id bigint references nas (id) on delete cascade,
  add column router jsonb,
  add constraint portal_session_router_check check ((nas_id is null) = (router is null));
comment on column portal_session.router is 'ts: RouterLogin';
create index portal_session_nas on portal_session (nas_id) where nas_id is not null;

-- One-time passwords, so that the password of a subscriber never reaches the login page of a router.
create table router_pass (
  subscriber_id bigint not null references subscriber (id) on delete cascade,
  nas_id bigint not null references nas (id) on delete cascade,
  mac text not null,
  -- Sealed: CHAP needs the clear value.
  password text not null,
  expire_at bigint not null,
  primary key (subscriber_id, nas_id, mac)
);
create index router_pass_nas on router_pass (nas_id);
create index router_pass_expiry on router_pass (expire_at);
