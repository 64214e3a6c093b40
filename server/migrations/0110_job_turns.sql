-- Jobs of operators have workers of their own, and VNOs take turns. Jobs of the system take turns by kind.
alter table job add column source text not null default 'system' check (source in ('system', 'operator')), add column queue text not null default '';
-- A trigger, so that jobs of the previous release have both too.
create function set_job_queue() returns trigger language plpgsql as $$
begin
  new.source := case when new.agent_id is null then 'system' else 'operator' end;
  new.queue := coalesce(new.agent_id::text, new.kind);
  return new;
end $$;
create trigger job_queue before insert on job for each row execute function set_job_queue();
update job set source = case when agent_id is null then 'system' else 'operator' end, queue = coalesce(agent_id::text, kind)
  where state in ('waiting', 'running');
create index job_turn on job (source, queue, run_at, id) where state in ('waiting', 'running');
create index job_running on job (source, queue) where state = 'running';
create index job_waiting on job (customer_id, kind) where state = 'waiting';
