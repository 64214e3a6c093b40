-- Each charge changes only columns without an index, so the new version of the row stays in its page.
alter table holding set (fillfactor = 70);
alter table meter set (fillfactor = 70);
