-- Looks through all rows, while everybody works; so the exchange need not.
alter table video_row validate constraint video_row_first;
alter table transcript validate constraint transcript_first;
alter table transcript_form validate constraint transcript_form_first;
alter table transcript_body validate constraint transcript_body_first;
