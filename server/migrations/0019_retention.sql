-- What the field tells grows for ever; here is what lets it go again (server/src/field/retention.ts).

-- A stream is a table a week, made ahead and dropped behind (server/src/field/weeks.ts). What there is already is one table that ends
-- with this week, counted in weeks since 1970.
do $$
declare
  stream text;
  until bigint;
begin
  foreach stream in array array['device_load', 'device_track', 'device_flow', 'user_flow', 'app_flow'] loop
    execute format('select greatest(max(at), floor(extract(epoch from now()))::bigint + 600) / 604800 + 1 from %I', stream) into until;
    execute format('alter table %I rename to %I', stream, stream || '_before_' || until);
    execute format('alter index %I rename to %I', stream || '_time', stream || '_time_before');
    execute format('drop index %I', stream || '_age');
    execute format('create table %I (like %I) partition by range (at)', stream, stream || '_before_' || until);
    execute format('create index %I on %I (device_id, at desc)', stream || '_time', stream);
    execute format('alter table %I attach partition %I for values from (minvalue) to (%s)', stream, stream || '_before_' || until, until * 604800);
  end loop;
end $$;

-- What has no index by its age yet. A command or a session ages from its end on.
create index device_event_age on device_event (create_at);
create index device_command_age on device_command (create_at) where state >= 3;
create index online_session_age on online_session (logout_at) where logout_at is not null;
create index login_rejection_age on login_rejection (create_at);

-- Access points as lists have shown them where that was news, so that their log can be put in order whatever arrives later; the other
-- half of what it is made of are the events.
create table ap_look (
  device_id bigint not null references device (id) on delete cascade,
  mac text not null,
  at bigint not null,
  state text not null check (state in ('up', 'offline')),
  primary key (device_id, mac, at)
);
comment on column ap_look.state is 'ts: ''up'' | ''offline''';
-- An event told of it, or its line begins with it; else it was only seen so.
alter table ap_link_log add column told boolean not null default false;
