-- Names and login names of the operators of each VNO, kept after a change or a deletion. Rows that store only the name of an operator show
-- it by this table: not to VNOs below the operator.
create table operator_name (
  name text not null,
  agent_id bigint not null,
  primary key (name, agent_id)
);
create function keep_operator_name() returns trigger language plpgsql as $$
begin
  insert into operator_name (name, agent_id) values (new.name, new.agent_id), (new.username, new.agent_id) on conflict do nothing;
  return null;
end $$;
create trigger customer_name after insert or update of name, username, agent_id on customer for each row execute function keep_operator_name();
insert into operator_name (name, agent_id)
  select name, agent_id from customer union select username, agent_id from customer
  union select name, agent_id from syslog where customer_id is not null union select username, agent_id from syslog where customer_id is not null;
