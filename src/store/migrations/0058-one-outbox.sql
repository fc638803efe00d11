-- contract: 0054-jobs-are-their-tasks
-- Emails wait in one table, whatever they are about (docs/decisions/0055-one-outbox.md).

create table mail (
  id         bigint generated always as identity primary key,
  to_address text not null,
  sealed     text not null,                      -- what it says: its links may sign somebody in
  attempts   int not null default 0,
  made_at    timestamptz not null default now(),
  due_at     timestamptz not null default now()
);
create index mail_due on mail (due_at);

-- Owners who were still to be told are told by the next look, or see it on the page of the webhook.
delete from subscription_mail where sent_at is null;
alter table subscription_mail drop column sent_at;
alter table webhook drop column is_notice_due;
