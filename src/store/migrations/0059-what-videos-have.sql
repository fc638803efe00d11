-- What videos have is a part of its own, so that every part counts all its answers under '' (docs/decisions/0021-the-drift-watch.md).

update verdict_share set part = replace(part, ' all', ' videos'), verdict = replace(verdict, '(content)', '')
where part like '% all' and verdict in ('(content)', 'no_captions', 'live_now', 'processing', 'private', 'not_found', 'removed', 'replaced',
  'age_restricted', 'members_only', 'paid', 'region_blocked', 'upcoming', 'not_available', 'undated', 'missing', 'no_videos');
update verdict_hour set part = replace(part, ' all', ' videos'), verdict = replace(verdict, '(content)', '')
where part like '% all' and verdict in ('(content)', 'no_captions', 'live_now', 'processing', 'private', 'not_found', 'removed', 'replaced',
  'age_restricted', 'members_only', 'paid', 'region_blocked', 'upcoming', 'not_available', 'undated', 'missing', 'no_videos');
delete from verdict_share where verdict = '(content)';
delete from verdict_hour where verdict = '(content)';
