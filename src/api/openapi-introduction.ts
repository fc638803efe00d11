/** The introduction of the OpenAPI document: how the service decides, for callers. */

export const INTRODUCTION = `
Start a job with the URLs of videos, playlists or channels, poll it until it is final, then read its results or
download its files. Every delivered transcript costs 0.008 USD; everything else is free.

**Keys.** Every address but \`/openapi.json\` needs \`Authorization: Bearer <API key>\`. A job of another account
answers like one that does not exist.

**Rate limit.** A key may make 60 requests in a burst and gets one more every second. Every request costs one, refused
ones too; a 429 costs nothing and says in \`Retry-After\` when the next one is there. All keys of an account together
may make 1,200 in a burst and 20 a second, and download 10 whole-job files (ZIP, \`all.txt\`, \`report.csv\`) at once.

**Refusals of POST /jobs** come in this order: 401, 429, 415, 413, malformed JSON or Idempotency-Key, known key (200 or
409), fields, \`invalid_url\`, \`job_in_progress\`, 402, 503. None of them uses an Idempotency-Key up.

**Idempotency.** The same key with the same JSON answers with the job it started before, as it is now; the order of
names and white space do not matter. Keys belong to the account and do not expire.

**URLs.** Every line of \`urls\` counts, 50 at most. \`watch?v=X&list=Y\` is the video X. List markers, Markdown links, commas
and escapes around a URL are understood, and several URLs on a line are as many lines; a port number is refused. \`/@handle/live\` is what is live
now: one video, or nothing; \`/@handle/podcasts\`, \`/releases\` and \`/courses\` are the videos of the playlists there. A URL of the wrong form answers
\`invalid_url\`; a channel or playlist that does not exist becomes a row of that status, and the rest of the job goes on.

**Repeats.** The same lines again, in any order, continue where the account's earlier jobs with them ended: what was
delivered comes back as \`unchanged\`, free and without text, whatever the language; then come new and older videos.

**Free work.** Lists, names, dates and videos without captions cost you nothing, up to an allowance for each day (UTC)
that grows with what the account ever brought. Beyond it the job ends \`finished\` with a \`truncated\` row that says so;
the same URLs go on there, after midnight or after adding credit. What stands between a list's first page and the
place where it goes on is not listed again. The middle of a list may be up to an hour old; its first page, and a
playlist's last one, never are.

**Money.** The cost of \`input.maxVideos\` is reserved until the job is final, at most what the balance covers; then what
was delivered is charged and the rest released, in the same moment.

**Dates.** \`publishedAfter\` and \`publishedBefore\` are inclusive and in UTC where they do not say otherwise; a date
alone as \`publishedBefore\` covers its whole day. A video whose date is not known is \`skipped\` where there are bounds.

**Captions.** Only what the platform publishes, never machine translations. For a language asked for: creator captions of
it, then of its base language, then automatic ones, else the original language; \`label\` says so.

**Paging.** \`offset\` and \`limit\` are plain digits. While a job runs its rows stand in order of completion; when it is
final they stand in order of \`index\`, so start again at 0. Unknown query parameters are ignored.

**HTTP.** Every error is \`{"error":{"code","message"}}\`. Every address answers HEAD where it answers GET, and OPTIONS
without a key. What is marked \`x-extension\` goes beyond version 1.0.0 of the interface.
`.trim()
