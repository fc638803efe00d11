-- contract: 0054-jobs-are-their-tasks
-- What workers of earlier versions held had a task of pg-boss, which is gone: those jobs wait, and count as lost with their worker.

update job set is_held = false, is_lost = true where is_held and state in ('queued', 'running', 'cancelling');
