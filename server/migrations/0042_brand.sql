-- Key of the console logo in the file store is agent.logo. The logo that gateways show on their own pages, with the hash that they check.
alter table agent
  add column device_logo text,
  add column device_logo_sha256 text,
  add column device_logo_size integer,
  add constraint agent_device_logo_whole check (
    (device_logo is null) = (device_logo_sha256 is null) and (device_logo is null) = (device_logo_size is null)
  );
-- The URL of a logo is made when it is sent, by its hash.
create index agent_device_logo on agent (device_logo_sha256) where device_logo is not null;
