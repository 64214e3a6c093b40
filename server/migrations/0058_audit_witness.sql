-- Gateways that hold a checkpoint of the audit log (server/src/domain/audit/witness.ts).
create index desired_section_witness on desired_section (device_id) where section = 'audit_witness';
