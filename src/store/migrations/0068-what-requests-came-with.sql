-- no transaction
-- What a request came with beside its words: the caller's trace, and whether a key could be read on its way. Old
-- releases neither read nor write either.

alter table job add column if not exists traceparent text;                 -- W3C Trace Context; null: none was sent
alter table api_key add column if not exists sent_in_clear_at timestamptz; -- when it first came by plain http; null: never
