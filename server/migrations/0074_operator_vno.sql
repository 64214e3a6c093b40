-- The VNO of the operator, so that VNOs below do not see the name. Rows of the previous release have none.
alter table config_apply add column operator_agent_id bigint;
alter table device_command add column operator_agent_id bigint;
alter table device_backup add column operator_agent_id bigint;
