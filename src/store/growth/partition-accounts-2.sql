-- no transaction
-- While everybody works.
call copy_by_account();
