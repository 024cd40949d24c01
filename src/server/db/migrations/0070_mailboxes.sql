-- Who else was last to change the e-mail, until the owner sets a password under Account. They may own the mailbox, so a
-- password that is chosen by a link counts as set by them.
alter table admins add column email_set_by bigint;
