-- The list of gateways by the state of their list of dangerous websites: most gateways are in one state, so each state finds its rows itself.
create index device_without_danger on device (name, id) include (agent_id) where 'danger' <> all (caps) and boot is not null;
create index danger_sync_acked on danger_sync (acked, device_id);
create index danger_sync_differs on danger_sync (device_id) where odd_digest is not null;
create index danger_sync_in_flight on danger_sync (device_id) where sent > acked;
-- Without it the planner expects a third of the rows.
create statistics danger_sync_in_flight_share on (sent > acked) from danger_sync;
analyze danger_sync;

-- Gateways with billing by AAA are compared with their NAS every few seconds.
create index device_aaa on device (id) where billing_mode in (2, 3);
create index nas_search on nas using gin (text_grams(name, 1, 3), identifier gin_trgm_ops);
