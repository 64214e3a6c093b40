-- The VNO of the operator: its log has the end of a transfer too. Transfers of the previous release have none.
alter table device_transfer add column operator_agent_id bigint;
