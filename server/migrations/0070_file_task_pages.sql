-- Tasks of the platform newest first, and by the state that the list shows. Without statistics of the expression, the planner expects
-- one task of 200 in a state.
create index file_task_newest on file_task (create_at desc, id desc);
create index file_task_state on file_task ((case when paused then 'paused' else state end), create_at desc, id desc) include (agent_id);
analyze file_task;
