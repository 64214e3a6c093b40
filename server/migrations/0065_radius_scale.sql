-- The first page of NAS, and the gateways that need one, come from an index.
create index nas_time on nas (create_at desc, id desc);
create index device_radius on device (id) where billing_mode in (2, 3);
