-- no transaction
-- When a token or a code of an app first came by plain http; null: never. Kept with the connection, since tokens are
-- swept. Old releases note it with the token, and neither read nor write it here.

alter table app_connection add column if not exists sent_in_clear_at timestamptz;
