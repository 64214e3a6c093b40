-- Since the version with 0111, failed logins are in attempt.
-- runs with: 0111_attempts.sql
drop table login_failure;
drop table portal_failure;
