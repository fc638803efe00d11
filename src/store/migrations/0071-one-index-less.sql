-- no transaction
-- Rows of a project are erased by their project, whose id begins their key; the index by account served nothing else.
-- An old release still erases, only slower.

drop index concurrently if exists project_video_of_account;
