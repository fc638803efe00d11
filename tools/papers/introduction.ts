/** The introduction of the OpenAPI document: how the service decides, for callers. */
import { dollars, PRICE_MICROS } from '../../src/model/money/money.ts'

export const INTRODUCTION = `
Start a job with the URLs of videos, playlists or channels, poll or follow it until it is final, then read its results or
download its files. Every delivered transcript costs ${dollars(PRICE_MICROS)}; everything else is free.

**Keys.** Every address except \`/openapi.json\` requires \`Authorization: Bearer <API key>\`. A job of another account
is answered as if it did not exist.

**Apps.** An app that the owner of an account connected (OAuth 2.1) sends its token instead of a key. Each operation names
the scope that an app needs; one that names none is for keys alone.

**Classes.** \`x-action-class\` says what an operation does at most: \`read\` changes nothing that the account has,
\`write\` neither costs nor loses anything, \`spend\` may reserve or spend the balance, and what \`destroy\` ends
cannot be had back.

**Rate limit.** A key may make 60 requests in a burst and gets one more every second. Every request counts, even one
that is refused, except those answered 429; their \`Retry-After\` says when the next request is possible. All keys of an
account together may make 1,200 requests in a burst and 20 per second, and download 10 whole-job files (ZIP,
\`all.txt\`, \`report.csv\`) at a time. \`RateLimit-Policy\` names both bounds and \`RateLimit\` what is left of
each (draft-ietf-httpapi-ratelimit-headers, version 11), beside \`X-RateLimit-Limit\` and \`X-RateLimit-Remaining\`,
which tell the key's alone.

**Refusals of POST /jobs** are checked in this order: 401, 429, 415, 413, malformed JSON or Idempotency-Key, known
Idempotency-Key (200 or 409), fields, \`invalid_url\`, \`job_in_progress\`, 402, 503. None of them uses up an
Idempotency-Key.

**Idempotency.** A request with the same Idempotency-Key and the same JSON is answered with the job that the key started
before, in its current state. The order of names and white space do not matter. Idempotency-Keys belong to the account
and do not expire.

**URLs.** A job takes at most 50 lines. \`watch?v=X&list=Y\` means the video X. List markers, Markdown links, commas and
escapes around a URL are understood. Several URLs or ids on one line count as several lines, whatever separator stands
between them, or none; a string may also be a JSON list of strings. Words beside a URL are answered \`invalid_url\` and
quoted, never ignored. A URL with a port number is refused. \`/@handle/live\` means what the channel is streaming
now: one video or none. \`/@handle/podcasts\`, \`/releases\`, \`/courses\` and \`/shows\` mean the videos of the
playlists listed there, and \`/show/VL…\` its playlist. A malformed URL is answered \`invalid_url\`. A channel or
playlist that does not exist becomes a row with that status, and the rest of the job continues. A list that the
platform cuts short, or repeats without end, keeps its rows and ends with a row \`failed\` without a video, which says how
far it was read.

**Repeats.** A job with the same lines, in any order, continues where the account's earlier jobs with these lines ended.
Videos already delivered come back as \`unchanged\`, free and without text, whatever the language; then come new and
older videos.

**Free work.** Lists, names, dates and videos without captions are free, up to a daily allowance (UTC) that grows with
what the account has ever paid in. When the allowance is used up, the job ends as \`finished\` with a \`truncated\` row
that says so. Send the same URLs again after midnight, or after adding credit, and the job continues there without listing
the videos in between again. The same number of jobs, and at least 100 a day, may end without a transcript; then POST
/jobs is answered \`rate_limited\`, with the seconds until midnight in \`Retry-After\`. The middle of a list may be up to an hour old; its first page and a playlist's last page
are always current.

**Previews.** \`POST /previews\` takes the body of POST /jobs and tells, free of charge, what a job would fetch and
cost. It lists the first pages of the lists, gives way to jobs and is kept for an hour. \`POST /jobs?preview={id}\` reads
those pages instead of listing them again; if that preview cannot be used, the job starts all the same and a notice says so.
Previews use at most half of the daily allowance.

**Money.** The cost of \`input.maxVideos\` transcripts, but never more than the balance covers, is reserved until the job
is final. Then what was delivered is charged and the rest is released, both at the same moment.

**Dates.** \`publishedAfter\` and \`publishedBefore\` are inclusive, and in UTC unless they name another offset. A date
without a time as \`publishedBefore\` includes that whole day. With either bound, a video of unknown date is
\`skipped\`.

**Captions.** Only captions that the platform publishes, never machine translations. For a requested language: creator
captions in it, then in its base language, then automatic captions, and otherwise the original language. Where
\`original\` is asked for and the original language is unknown, it is the first that the platform lists. \`label\`
says which.

**Events.** \`GET /jobs/{id}/events\` sends a job's state and each finished row as soon as there is news, over one
connection that costs one request. If the connection breaks, connect again with \`Last-Event-ID\`, as EventSource does by
itself: nothing is lost or repeated, whichever server answers. The event \`end\` says that nothing follows; so does the
status 204, if you have already received every row.

**Webhooks.** \`POST /webhooks\` names an address that is sent every job of the account that becomes final, signed by
Standard Webhooks. Named in \`events\`, news of subscriptions is sent as well: new videos (\`subscription.found\`) and each
change of state (\`subscription.paused\` and so on), with the subscription as it was then as \`data\`. Any 2xx within 15 seconds counts as received; otherwise seven more attempts follow over 28 hours. The
same \`webhook-id\` may come more than once.

**Paging.** \`offset\` and \`limit\` are written in plain digits. While a job is running, its rows are in order of
completion. Once it is final, they are in order of \`index\`, so start again at 0. Unknown query parameters are ignored.

**HTTP.** Every error has the form \`{"error":{"code","message"}}\`. Version 1 fixes it, so it is not \`application/problem+json\`
(RFC 9457), which says the same in other names: \`code\` is its type, which \`Link\` (\`rel="help"\`) explains, \`message\` its detail,
and \`X-Request-Id\` its instance. Every address that answers GET also answers HEAD, and OPTIONS needs no key.
Texts of more than 1 KB are compressed for clients that accept it. A \`traceparent\` (W3C Trace Context) is written to our log and sent on with
the webhooks of the job that the request started. Where the service is reached by https, a key or a token that comes by
plain http is refused (403), and its owner is told to replace it.

**Versions.** Version 1 is frozen: what it has stays as it is, and only additions come. Whatever is marked \`x-extension\`
goes beyond version 1.0.0 of the interface. Clients have to pass over fields, headers, parameters and event types
that they do not know. What will be taken away is marked \`deprecated\` here at least 12 months before, and its answers say so: \`Deprecation\` since when
(RFC 9745), \`Sunset\` from when it may be gone (RFC 8594), and \`Link\` (\`rel="deprecation"\`) what takes its place. The
security of accounts alone may need to be quicker. A version 2 would stand beside version 1, under \`/api/v2\`. Nothing is deprecated today.
`.trim()
