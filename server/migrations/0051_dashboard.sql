-- Devices that need attention are counted on each refresh of the dashboard.
create index reported_section_local on reported_section (device_id, section) where local;
create index file_task_device_failed on file_task_device (update_at) where ended and status in (101, 102, 200, 202, 203);
create index portal_task_failed on portal_task (update_at) where ended and status in (101, 102, 200, 202, 203);
create index upgrade_device_failed on upgrade_device (finish_at) where state in ('failed', 'rolled_back');
create index config_campaign_device_failed on config_campaign_device (update_at) where state in ('refused', 'invalid', 'lost');

-- Tasks under way.
create index file_task_running on file_task (id) where state = 'running';
create index portal_task_under_way on portal_task (agent_id) where not ended;
