-- Backups have no account. The operator of an older one is the account of this name that is next to its VNO: in it, or above it.
update device_backup b set operator_agent_id = (
  select c.agent_id from agent own
    join agent above on own.path like above.path || '%'
    join customer c on c.agent_id = above.id
  where own.id = b.agent_id and c.name = b.operator
  order by length(above.path) desc limit 1
) where b.operator is not null;
