-- Rows of the traffic lists, counted by the rollup: the total of a list and the start of a deep page come from them.
-- `row_count`: rows of the list by this hour or day; `hour_row_count`: rows of the list by hour on this day.
alter table flow_sum_hour add column row_count integer not null default 0;
alter table flow_sum_day add column row_count integer not null default 0, add column hour_row_count integer not null default 0;
alter table agent_flow_hour add column row_count integer not null default 0;
alter table agent_flow_day add column row_count integer not null default 0, add column hour_row_count integer not null default 0;

do $$
declare
  list record;
begin
  for list in select * from (values
    ('flow_usr', 'business_flow', 'network'), ('flow_mgt', 'manage_flow', 'network'),
    ('dpi_usr', 'business_dpi', '''unknown'''), ('dpi_mgt', 'manage_dpi', '''unknown''')) as l(kind, name, network)
  loop
    execute format('update flow_sum_hour s set row_count = c.n from (
      select time, agent_id, device_id, %2$s as network, count(*) as n from %3$I group by 1, 2, 3, 4) c
      where s.kind = %1$L and s.time = c.time and s.agent_id = c.agent_id and s.device_id = c.device_id and s.network = c.network',
      list.kind, list.network, list.name || '_hour');
    execute format('update flow_sum_day s set row_count = c.n from (
      select time, agent_id, device_id, %2$s as network, count(*) as n from %3$I group by 1, 2, 3, 4) c
      where s.kind = %1$L and s.time = c.time and s.agent_id = c.agent_id and s.device_id = c.device_id and s.network = c.network',
      list.kind, list.network, list.name || '_day');
  end loop;
end $$;

update flow_sum_day s set hour_row_count = c.n from (
  select kind, (time + 28800) / 86400 * 86400 - 28800 as day, agent_id, device_id, network, sum(row_count) as n
  from flow_sum_hour group by 1, 2, 3, 4, 5) c
where s.kind = c.kind and s.time = c.day and s.agent_id = c.agent_id and s.device_id = c.device_id and s.network = c.network;
update agent_flow_hour s set row_count = c.n from (
  select kind, time, agent_id, sum(row_count) as n from flow_sum_hour group by 1, 2, 3) c
where s.kind = c.kind and s.time = c.time and s.agent_id = c.agent_id;
update agent_flow_day s set row_count = c.n, hour_row_count = c.hours from (
  select kind, time, agent_id, sum(row_count) as n, sum(hour_row_count) as hours from flow_sum_day group by 1, 2, 3) c
where s.kind = c.kind and s.time = c.time and s.agent_id = c.agent_id;

-- Uploads that the gateway reported and the file exchange does not have.
create index dpi_task_awaited on dpi_task (update_at) where not ended and said_sha256 is not null and file_sha256 is null;
