-- Searches by one or two characters of an operator.
drop index role_assign_log_search;
create index role_assign_log_search on role_assign_log using gin (sn gin_trgm_ops, text_grams(operator, 1, 3));
