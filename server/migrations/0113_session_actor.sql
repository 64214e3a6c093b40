-- The session from which an operator acts as another account. Its logout ends this session too.
alter table session add column actor_session_id bigint;
create index session_actor on session (actor_session_id) where actor_session_id is not null;
alter table remote_token add column actor_session_id bigint;
