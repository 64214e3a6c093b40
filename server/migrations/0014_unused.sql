-- runs with: 0013_audit.sql
-- Nothing reads or writes these: bills are numbered in document_number, hand-overs of the portal are rows of portal_handover, and
-- audit_terminal_state_last_id begins with the same column.
drop sequence bill_no;
alter table portal_session drop column handover_hash;
drop index audit_terminal_state_last;
