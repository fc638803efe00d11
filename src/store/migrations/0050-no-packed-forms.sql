-- Compressed forms of bodies are written when they are read, of lengths that are recorded with the body (decision 0040).
-- Bodies without such lengths were written by builds between releases only, where TRANSCRIPT_STORAGE was set to `body`.

do $$
begin
  if exists (select from transcript_body) then
    raise exception 'transcript_body holds bodies of a build between releases, which this one cannot read; '
      'export these transcripts with that build first, or delete them';
  end if;
end
$$;

drop table packed_form;
