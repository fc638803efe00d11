"""Client of a Scriptorium service: transcripts of videos, playlists and channels.

One file that needs only Python 3.9 or newer: install it or copy it.

    from scriptorium_client import Scriptorium

    client = Scriptorium(api_key="sk_…", base_url="https://host")
    for video in client.transcripts("https://www.youtube.com/@channel", max_videos=50):
        print(video["title"], len(video["text"] or ""))

What the service answers is returned as it is: dictionaries with the API's own names.
"""

from __future__ import annotations

import base64
import errno
import hashlib
import hmac
import http.client
import json
import os
import random
import re
import secrets
import time
import urllib.error
import urllib.parse
import urllib.request
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import (
    Any,
    Callable,
    Dict,
    Generator,
    Iterable,
    Iterator,
    List,
    Mapping,
    Optional,
    Sequence,
    Set,
    Tuple,
    TypedDict,
    Union,
    cast,
)

__version__ = "2.0.0"

# ---- What the service answers ----

# Written by `npm run print`: what the service answers, after its OpenAPI document.


class JobInput(TypedDict):
    # The lines, trimmed and without duplicates, in the order given.
    urls: List[str]
    language: str
    formats: List[str]
    # Videos the job may process after the balance cap.
    maxVideos: int
    # The value asked for.
    requestedMaxVideos: int
    publishedAfter: Optional[str]
    publishedBefore: Optional[str]


class JobProgress(TypedDict):
    # Videos found; None before the start.
    discovered: Optional[int]
    # Videos with a result of any status.
    processed: int
    # Videos with a transcript.
    delivered: int
    # Number of videos per status.
    counts: Dict[str, int]


class JobBilling(TypedDict):
    # USD as a plain decimal number with three to six decimals.
    reserved: str
    # True if and only if the state is final.
    settled: bool
    # USD as a plain decimal number with three to six decimals.
    charged: Optional[str]
    chargedTranscripts: Optional[int]
    # USD as a plain decimal number with three to six decimals.
    pricePerTranscript: str


class JobLinks(TypedDict):
    self: str
    results: str


class JobBatch(TypedDict):
    id: str
    # What the batch is called.
    title: str
    # The job's number in it, from 1.
    number: int


class _JobOptional(TypedDict, total=False):
    # Only in the answer to POST /jobs.
    notices: List[str]
    # Name of the job, or what it is about; only with `view=named` and in the answer of PATCH.
    title: str
    # The name you gave it; only with `view=named` and in the answer of PATCH.
    name: Optional[str]
    # Your note about it; only with `view=named` and in the answer of PATCH.
    note: Optional[str]
    # The kind of track that was asked for, if any; only with `view=named` and in the answer of PATCH.
    track: str
    # The batch that it is a job of, if any; only with `view=named` and in the answer of PATCH.
    batch: JobBatch
    # How many of its texts are deleted, if any; only with `view=named` and in the answer of PATCH.
    deletedTexts: int
    # The one of `notices` that is about the balance, where it covers fewer videos than were asked for; only from
    # `start`.
    balanceNotice: str


class Job(_JobOptional):
    """An order. Answers of `start` have `notices`; those of `get`, `list` and `change` have `title`, `name` and `note`.
    There may be no `notices`, `title`, `name`, `note`, `track`, `batch`, `deletedTexts` or `balanceNotice`."""

    # The id that POST /jobs returned.
    id: str
    state: str
    createdAt: str
    finishedAt: Optional[str]
    input: JobInput
    progress: JobProgress
    billing: JobBilling
    error: Optional[str]
    links: JobLinks


class JobList(TypedDict):
    total: int
    offset: int
    limit: int
    # None on the last page.
    nextOffset: Optional[int]
    jobs: List[Job]


class BatchProgress(TypedDict):
    # Videos that its jobs processed, whatever the result.
    processed: int
    delivered: int
    # Number of videos per status that its jobs processed; rows that take no place, such as `unchanged` and `truncated`,
    # are left out, since one job after another lists the same videos.
    counts: Dict[str, int]


class BatchBilling(TypedDict):
    # What all its jobs can cost together, in USD.
    atMost: str
    # By the running job.
    reserved: str
    # USD as a plain decimal number with three to six decimals.
    charged: str


class _BatchJobOptional(TypedDict, total=False):
    # What it took, such as `Daily Notes, videos 1 to 500`; only where one batch is asked for.
    title: str


class BatchJob(_BatchJobOptional):
    """There may be no `title`."""

    # The id that POST /jobs returned.
    id: str
    state: str
    delivered: int
    # USD as a plain decimal number with three to six decimals.
    charged: str


class _BatchSummaryOptional(TypedDict, total=False):
    # Present where a kind of track was asked for.
    track: str


class BatchSummary(_BatchSummaryOptional):
    """An order of more than a job may have. There may be no `track`."""

    # Batch id, as POST /batches returned it.
    id: str
    # `stopped`: by you, or because its next job was refused, as `notice` says; it can be continued.
    state: str
    # What it is called: its name, or what it is about.
    title: str
    name: Optional[str]
    createdAt: str
    finishedAt: Optional[str]
    # How many lines were ordered.
    lines: int
    # How many parts of 50 lines they make.
    parts: int
    # The part in progress, from 1.
    part: int
    # Most videos that all its jobs may process together.
    maxVideos: int
    owned: str
    progress: BatchProgress
    billing: BatchBilling
    # Why it waits or stopped, or what it left, in a sentence.
    notice: Optional[str]
    # Its jobs, in the order they were started.
    jobs: List[BatchJob]


class BatchInput(TypedDict):
    # The lines, trimmed and without duplicates, in the order given.
    urls: List[str]
    language: str
    formats: List[str]
    publishedAfter: Optional[str]
    publishedBefore: Optional[str]


class BatchSource(TypedDict):
    # The line, as in `input.urls`.
    line: str
    # None while no job has come to it.
    title: Optional[str]
    # `read`: all that it holds was taken, or was there before; `part`: the batch ended before that; `not_reached`: it
    # ended before the line, of which `POST /previews` says what it holds and costs.
    state: str
    # How many videos it holds; None while that is unknown.
    videos: Optional[int]
    # Videos of it that were asked for their captions.
    taken: int
    delivered: int
    # Videos of it that were never tried; None where that is unknown.
    left: Optional[int]


class Batch(BatchSummary):
    """An order of more than a job may have, with what was ordered."""

    input: BatchInput
    # How the lines were read.
    notices: List[str]
    # What became of each line, in the order given.
    sources: List[BatchSource]


class BatchList(TypedDict):
    total: int
    offset: int
    limit: int
    # None on the last page.
    nextOffset: Optional[int]
    batches: List[BatchSummary]


class OwnedFrom(TypedDict):
    """The latest other order that delivered some of a line's videos."""

    jobId: str
    since: str


class LastTry(TypedDict):
    status: str
    label: str
    at: str


class _PreviewSourceOptional(TypedDict, total=False):
    # The latest other order that brought some of them, where one did.
    ownedFrom: OwnedFrom
    # Of a video that you do not own: the last try by any of your orders, as its row says. A job that takes the line
    # tries it again.
    tried: LastTry


class PreviewSource(_PreviewSourceOptional):
    """One line of a preview. There may be no `ownedFrom` or `tried`."""

    # The line, as in `input.urls`.
    line: str
    kind: str
    title: Optional[str]
    channelName: Optional[str]
    # A still of the video, or of the first video in the list.
    pictureUrl: Optional[str]
    # How many videos the list holds, as the platform says; None while it is unknown.
    videos: Optional[int]
    # All of the list that a job would read now was read; otherwise the rest is estimated, or the platform shows only a
    # part of it, as `error` says.
    isComplete: bool
    # Date of the newest listed video, as far as the list tells.
    newestAt: Optional[str]
    oldestAt: Optional[str]
    # Listed videos that an earlier job with exactly these URLs delivered: free.
    delivered: int
    # Videos of this line that the account already owns from any order, in the requested language; beyond what was read
    # of a list, as far as the library knows.
    owned: int
    # Listed videos for which an earlier job with these URLs got a definite no.
    knownNegative: int
    # Videos of this line that a job started now would try.
    wouldTake: int
    # Why the line could not be read, or not further. Never set for a list that is merely empty.
    error: Optional[str]


class Preview(TypedDict):
    """What an order would bring and cost. It is kept for an hour."""

    # Preview id, as POST /previews returned it.
    id: str
    # While `listing`, sources are filled in as they are read, for a minute at most.
    state: str
    createdAt: str
    # It is deleted after this.
    expiresAt: str
    input: JobInput
    # One for each line, in the order given.
    sources: List[PreviewSource]
    # Videos that a job started now would try.
    wouldTake: int
    # Videos of all lines, each counted once, that a job started now would return as `unchanged`, free, since the
    # account has them.
    unchanged: int
    # USD as a plain decimal number with three to six decimals.
    costAtMost: str
    # USD as a plain decimal number with three to six decimals.
    costExpected: str
    # The part of `costAtMost` for videos that the account already owns from other orders; 0 with `owned=skip`, which
    # leaves them out.
    costAgain: str
    notices: List[str]


class Segment(TypedDict):
    startMs: int
    endMs: int
    text: str


class RowOfText(TypedDict):
    # The id that POST /jobs returned.
    jobId: str
    index: int


class _VideoOptional(TypedDict, total=False):
    # The row that holds the text: of `unchanged` videos one of another job, and None where no text is kept; only with
    # `include=textRow`.
    textRow: Optional[RowOfText]
    # The row of another order that holds the text of an `unchanged` video; None for other rows, and where no text is
    # kept; only with `view=located`.
    owned: Optional[RowOfText]


class Video(_VideoOptional):
    """A row of a job. `success` rows have text, segments and files. There may be no `textRow` or `owned`."""

    # Position of the video; used in file names.
    index: int
    videoId: Optional[str]
    title: Optional[str]
    url: Optional[str]
    channelName: Optional[str]
    publishedAt: Optional[str]
    # `success` is charged; no_captions, language_not_available, private, unavailable, blocked_suspect, failed,
    # invalid_url, truncated, skipped, unchanged are free.
    status: str
    # The status in plain words.
    label: str
    errorMessage: Optional[str]
    # Of the delivered captions.
    languageCode: Optional[str]
    # Creator or automatic captions.
    trackKind: Optional[str]
    text: Optional[str]
    segments: Optional[List[Segment]]
    # Download links by format, for delivered videos.
    files: Dict[str, str]


class Downloads(TypedDict):
    zip: str
    allText: str
    reportCsv: str


class Results(TypedDict):
    # The id that POST /jobs returned.
    id: str
    state: str
    # False while the job is still running.
    complete: bool
    total: int
    offset: int
    limit: int
    # None on the last page.
    nextOffset: Optional[int]
    videos: List[Video]
    downloads: Downloads


class _CollectionOptional(TypedDict, total=False):
    # The platform's still of its newest video; only with `view=pictures`, and None where no video is known.
    pictureUrl: Optional[str]


class Collection(_CollectionOptional):
    """What the account has of a channel, playlist or project. There may be no `pictureUrl`."""

    # The platform's own id of the channel (`UC…`) or playlist (`PL…`).
    id: str
    kind: str
    # The channel's name, or the playlist's title.
    title: Optional[str]
    channelId: Optional[str]
    playlistId: Optional[str]
    # Number of its videos, as far as known.
    known: int
    # Videos whose transcript the account has.
    delivered: int
    # Videos without captions.
    noCaptions: int
    # Videos that were attempted and failed otherwise.
    failed: int
    # Videos never attempted; None where the total is unknown.
    remaining: Optional[int]
    # Publish date of the newest video that was attempted.
    newestAt: Optional[str]
    oldestAt: Optional[str]
    # When its list was last read.
    lastLookedAt: Optional[str]
    # What its transcripts cost; a video of several collections counts in each.
    charged: str
    # Languages of the delivered transcripts.
    languages: List[str]


class CollectionList(TypedDict):
    total: int
    offset: int
    limit: int
    # None on the last page.
    nextOffset: Optional[int]
    collections: List[Collection]


class RestOfCollection(TypedDict):
    urls: List[str]
    # The one URL that continues this collection alone; `owned=skip` leaves out what others of `urls` brought.
    line: str
    language: str
    formats: List[str]
    # Videos that it can still attempt.
    videos: Optional[int]
    # USD as a plain decimal number with three to six decimals.
    costAtMost: Optional[str]


class CollectionDetail(Collection):
    """What the account has of a collection, and what it would cost to fetch the rest."""

    # Videos by status: why there is no transcript.
    counts: Dict[str, int]
    # What to send to POST /jobs to fetch the rest without paying twice; None where no list was read.
    goesOn: Optional[RestOfCollection]


class Chapter(TypedDict):
    startMs: int
    title: str


class LibraryVideo(TypedDict):
    """A row with what the platform says of its video."""

    # The id that POST /jobs returned.
    jobId: str
    index: int
    videoId: Optional[str]
    title: Optional[str]
    url: Optional[str]
    channelName: Optional[str]
    publishedAt: Optional[str]
    # Status as in the results of a job; None where its captions were never requested.
    status: Optional[str]
    label: Optional[str]
    errorMessage: Optional[str]
    languageCode: Optional[str]
    trackKind: Optional[str]
    channelId: Optional[str]
    durationSeconds: Optional[int]
    # When the video was last fetched.
    viewCount: Optional[int]
    keywords: Optional[List[str]]
    description: Optional[str]
    category: Optional[str]
    # From the lines of the description; empty where it names none.
    chapters: Optional[List[Chapter]]


class LibraryVideoList(TypedDict):
    total: int
    offset: int
    limit: int
    # None on the last page.
    nextOffset: Optional[int]
    videos: List[LibraryVideo]


class Track(TypedDict):
    """A caption track of a video."""

    # As the platform spells it.
    languageCode: str
    # `manual`: made by the creator; `asr`: automatic.
    kind: str
    name: Optional[str]
    # Whether players of the platform show it by default.
    isDefault: bool
    # Whether the platform would translate it by machine.
    isTranslatable: bool


class Source(TypedDict):
    """The reply of the platform from which a text was read."""

    # SHA-256 of the reply’s content, in hex.
    sha256: str
    # The platform’s name of its format.
    format: str
    # Length of the content, after any Content-Encoding.
    sizeBytes: int
    # The app of the platform as which it was asked for.
    client: str
    fetchedAt: str
    # The header Last-Modified of the reply.
    lastModified: Optional[str]
    # The header ETag of the reply.
    etag: Optional[str]


class JobVideo(LibraryVideo):
    """A row with all that is known of its video."""

    # Every caption track that the video has; None where none was listed.
    tracks: Optional[List[Track]]
    # The reply of the platform from which its text was read; None where it is not known, as for texts of earlier
    # releases.
    source: Optional[Source]
    # Whether words.json and words.vtt of this row exist.
    hasWordTimes: bool
    # The row that holds its text: of a video that was delivered before, one of another job; None where no text is kept.
    text: Optional[RowOfText]


class Word(TypedDict):
    startMs: int
    # When the next word of its segment begins, or the segment ends.
    endMs: int
    # The word, with the blank before it: joined, the words of a segment are its text.
    text: str
    # How sure the speech recognition is; None where the platform does not say.
    confidence: Optional[float]


class Words(TypedDict):
    words: List[Word]


class TextDeletionProjects(TypedDict):
    id: str
    name: str
    # Texts that it loses.
    texts: int


class TextDeletion(TypedDict):
    # Videos whose texts go.
    videos: int
    # Rows that lose their text.
    texts: int
    # Bytes that the texts take.
    bytes: int
    # Texts of the same videos that stay: in another language, or of the other kind.
    otherTexts: int
    # Jobs that lose texts.
    jobs: int
    # Those among `jobs` that were not named, and brought the same texts.
    otherJobs: int
    projects: List[TextDeletionProjects]


class Project(TypedDict):
    """A collection of the account's own; `Library` reads its videos and files by its id."""

    # Project id, as POST /projects returned it.
    id: str
    name: str
    note: Optional[str]
    tags: List[str]
    # Transcripts in it; a video in two languages counts twice.
    videos: int
    createdAt: str
    changedAt: str


class ProjectList(TypedDict):
    total: int
    offset: int
    limit: int
    # None on the last page.
    nextOffset: Optional[int]
    projects: List[Project]


class RefusedVideo(TypedDict):
    # The id that POST /jobs returned.
    jobId: str
    index: int
    reason: str


class ProjectVideosAdded(TypedDict):
    # Transcripts added to the project.
    added: int
    # Transcripts that were already in it.
    present: int
    # Rows that could not be added.
    refusals: int
    # Which, and why; at most 500.
    refused: List[RefusedVideo]


class Balance(TypedDict):
    # USD as a plain decimal number with three to six decimals.
    balance: str
    # Millionths of a dollar.
    balanceMicros: int
    currency: str
    # USD as a plain decimal number with three to six decimals.
    pricePerTranscript: str
    affordableTranscripts: int


class ReceiptText(TypedDict):
    index: int
    videoId: str
    textSha256: str


class LedgerEntry(TypedDict):
    number: str
    kind: str
    # Whole millionths of a USD.
    postedMicros: str
    # Whole millionths of a USD.
    heldMicros: str
    reference: str
    reason: Optional[str]
    createdAt: str
    previousHash: str
    hash: str


class ReceiptLedger(TypedDict):
    headBefore: str
    headAfter: str
    entries: List[LedgerEntry]


class ReceiptSignature(TypedDict):
    algorithm: str
    keyId: str
    # In base64, over everything else as canonical JSON: names sorted, no white space.
    value: str


class Receipt(TypedDict):
    """What `verify_receipt` checks."""

    type: str
    # Address of the service; its keys are at /.well-known/scriptorium-keys.json there.
    issuer: str
    # The id that POST /jobs returned.
    jobId: str
    accountId: str
    state: str
    createdAt: str
    finishedAt: str
    urlSetSha256: str
    delivered: List[ReceiptText]
    currency: str
    transcripts: int
    # USD as a plain decimal number with three to six decimals.
    pricePerTranscript: str
    # USD as a plain decimal number with three to six decimals.
    reserved: str
    # USD as a plain decimal number with three to six decimals.
    charged: str
    # USD as a plain decimal number with three to six decimals.
    released: str
    ledger: ReceiptLedger
    signature: ReceiptSignature


class _SubscriptionOptional(TypedDict, total=False):
    # Present and true where the platform has only ever said that there is no such list.
    neverFound: bool
    # How often it is checked; without it hourly to daily, depending on how often the source publishes.
    everyHours: int
    # Present where what other orders delivered is bought again.
    owned: str


class Subscription(_SubscriptionOptional):
    """What is followed. There may be no `neverFound`, `everyHours` or `owned`."""

    # Subscription id, as POST /subscriptions returned it.
    id: str
    # The line as it was sent: the URL set of every job.
    url: str
    # Name of the channel, once a check has found it.
    title: Optional[str]
    # `paused`: you asked; `out_of_money`: the balance covers none of the new videos; `cap_reached`: they wait for the
    # next month; `gone`: the platform no longer has the list.
    state: str
    createdAt: str
    # The last check that the platform answered.
    lastLookedAt: Optional[str]
    # None where there is none: paused or gone.
    nextLookAt: Optional[str]
    # USD as a plain decimal number with three to six decimals.
    monthlyCap: str
    # Charges of the jobs started this month (UTC), and reserves of those that are open.
    spentThisMonth: str
    # The latest jobs it started, newest first, at most 10.
    jobs: List[str]
    # What its owner should know, in a sentence.
    notice: Optional[str]


class SubscriptionList(TypedDict):
    total: int
    offset: int
    limit: int
    # None on the last page.
    nextOffset: Optional[int]
    subscriptions: List[Subscription]


class SnippetPiece(TypedDict):
    text: str
    isMatch: bool


class SearchHit(TypedDict):
    """A place where the words of a search are said; `url` opens the video there."""

    # The id that POST /jobs returned.
    jobId: str
    # Index of the video in the job that delivered it.
    index: int
    videoId: str
    title: Optional[str]
    channelName: Optional[str]
    channelId: Optional[str]
    publishedAt: Optional[str]
    languageCode: str
    # When the first marked words are said.
    startMs: int
    # What is said in the ten seconds around it, in pieces: those that match are marked.
    snippet: List[SnippetPiece]
    # How often the words are said in this transcript.
    mentions: int
    # The video, from that second on.
    url: str


class ChannelHits(TypedDict):
    channelName: Optional[str]
    channelId: Optional[str]
    count: int


class MonthHits(TypedDict):
    # YYYY-MM, by the platform’s clock as in `publishedAt`.
    month: Optional[str]
    count: int


class SearchResults(TypedDict):
    # Transcripts that were searched.
    indexed: int
    # Transcripts delivered to the account; above `indexed` while more are added.
    owned: int
    total: int
    offset: int
    limit: int
    # None on the last page.
    nextOffset: Optional[int]
    hits: List[SearchHit]
    # Hits of each channel, most first; at most 50 channels.
    channels: List[ChannelHits]
    # Hits of each month of publication, in order; None: of unknown date, first.
    months: List[MonthHits]


class Mention(TypedDict):
    """A place where a word or phrase of a search is said; `url` opens the video there."""

    # The id that POST /jobs returned.
    jobId: str
    # Index of the video in the job that delivered it.
    index: int
    videoId: str
    title: Optional[str]
    channelName: Optional[str]
    channelId: Optional[str]
    publishedAt: Optional[str]
    languageCode: str
    # When it is said.
    startMs: int
    # What is said in the ten seconds around it.
    text: str
    # What is said in the ten seconds around it, in pieces: those that match are marked.
    snippet: List[SnippetPiece]
    # The video, from that second on.
    url: str


class VideoMentions(TypedDict):
    # The id that POST /jobs returned.
    jobId: str
    index: int
    videoId: str
    title: Optional[str]
    channelName: Optional[str]
    mentions: int


class ChannelMentions(TypedDict):
    channelName: Optional[str]
    channelId: Optional[str]
    transcripts: int
    mentions: int


class MonthMentions(TypedDict):
    # YYYY-MM, by the platform’s clock as in `publishedAt`.
    month: Optional[str]
    transcripts: int
    mentions: int


class Mentions(TypedDict):
    # Transcripts that were searched.
    indexed: int
    # Transcripts delivered to the account; above `indexed` while more are added.
    owned: int
    # Transcripts in which it is said.
    transcripts: int
    total: int
    offset: int
    limit: int
    # None on the last page.
    nextOffset: Optional[int]
    mentions: List[Mention]
    # Mentions of each video, most first; at most 50 videos.
    videos: List[VideoMentions]
    # Mentions of each channel, most first; at most 50 channels.
    channels: List[ChannelMentions]
    # Mentions of each month of publication, in order; None: of unknown date.
    months: List[MonthMentions]


# End of what is printed.

# ---- What can go wrong ----


class ScriptoriumError(Exception):
    """`code` is one of the API, `connection_lost`, `timeout`, `job_ended`, `batch_stopped`, `webhook_invalid` or
    `receipt_invalid`.

    `status` is of the HTTP answer and `request_id` names the request in the service's log, None where no answer
    arrived. `job_id`: the job that still runs, or that did not finish. `retry_after`: seconds to wait, where the
    service named them. `field`: of the request, where one has to change.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: Optional[int] = None,
        request_id: Optional[str] = None,
        job_id: Optional[str] = None,
        retry_after: Optional[float] = None,
        field: Optional[str] = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.status = status
        self.request_id = request_id
        self.job_id = job_id
        self.retry_after = retry_after
        self.field = field


class ApiError(ScriptoriumError):
    """The service refused the request."""


class InvalidRequestError(ApiError):
    """400, 413, 415: the request is malformed; `field` names what has to change, where it is one."""


class InvalidUrlError(ApiError):
    """400: one of the lines is not a video, playlist or channel URL. Nothing was started."""


class UnauthorizedError(ApiError):
    """401: the key is missing, unknown or revoked."""


class InsufficientBalanceError(ApiError):
    """402: the balance does not cover one transcript. Nothing was started."""


class NotFoundError(ApiError):
    """404: the account has no such job or file."""


class IdempotencyConflictError(ApiError):
    """409: the Idempotency-Key was used with another body."""


class JobInProgressError(ApiError):
    """409: a job with the same URLs still runs; `job_id` names it."""


class RateLimitedError(ApiError):
    """429: too many requests with this key."""


class InternalError(ApiError):
    """500: a fault of the service."""


class ServerBusyError(ApiError):
    """503: the service runs as many jobs as it can, or its database is away."""


class ConnectionLostError(ScriptoriumError):
    """No whole answer arrived. The request may have been carried out."""


class TimedOutError(ConnectionLostError):
    """Nothing arrived within `timeout` seconds. The request may have been carried out."""


class JobEndedError(ScriptoriumError):
    """A job that was waited for ended as `cancelled`, `failed` or `interrupted`."""

    def __init__(self, job: Job) -> None:
        why = f": {job['error']}" if job["error"] else ""
        super().__init__("job_ended", f"The job is {job['state']}{why}", job_id=job["id"])
        self.job = job


class BatchStoppedError(ScriptoriumError):
    """A batch that was waited for stopped before it had everything; `batches.resume` goes on with it."""

    def __init__(self, batch: Batch) -> None:
        why = f": {batch['notice']}" if batch["notice"] else ""
        super().__init__("batch_stopped", f"The batch has stopped{why}")
        self.batch = batch


class WebhookError(ScriptoriumError):
    """The request is not one of the service's, or too old. Answer it with 400 and do nothing."""

    def __init__(self, message: str) -> None:
        super().__init__("webhook_invalid", message)


class ReceiptError(ScriptoriumError):
    """The receipt does not hold; `problems` says why, a sentence each."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("receipt_invalid", "The receipt is not valid: " + "; ".join(problems))
        self.problems = list(problems)


_CLASSES = {
    "invalid_request": InvalidRequestError,
    "invalid_url": InvalidUrlError,
    "unauthorized": UnauthorizedError,
    "insufficient_balance": InsufficientBalanceError,
    "not_found": NotFoundError,
    "idempotency_conflict": IdempotencyConflictError,
    "job_in_progress": JobInProgressError,
    "rate_limited": RateLimitedError,
    "internal_error": InternalError,
    "server_busy": ServerBusyError,
}
_CODES = {401: "unauthorized", 404: "not_found", 429: "rate_limited"}
_CODES.update({502: "server_busy", 503: "server_busy", 504: "server_busy"})

# ---- Requests ----

_DELAY_MAX = 8.0
_RETRY_AFTER_MAX = 60.0
_WAIT_MAX = 60
_CHUNK = 65_536
_FINAL = ("finished", "cancelled", "failed", "interrupted")


class Transport:
    """The lowest layer: `open`, `json` and `answer` send a request again where that is safe and useful."""

    def __init__(self, api_key: str, base_url: str, max_retries: int, backoff: float, timeout: float) -> None:
        self.base_url = base_url
        self.max_retries = max_retries
        self.backoff = backoff
        self.timeout = timeout
        self._api_key = api_key

    def json(self, method: str, path: str, **call: Any) -> Any:
        return self.answer(method, path, **call)[1]

    def answer(self, method: str, path: str, **call: Any) -> Tuple[http.client.HTTPMessage, Any]:
        """The headers and the JSON of an accepted answer; None where it has no body."""

        def read(response: http.client.HTTPResponse) -> Any:
            with response:
                body = response.read()
            return response.headers, json.loads(body) if body else None

        return cast(Tuple[http.client.HTTPMessage, Any], self._tried(method, path, read, **call))

    def open(self, method: str, path: str, **call: Any) -> http.client.HTTPResponse:
        """The answer once its head is there; its body is the caller's to read and to close."""
        return cast(http.client.HTTPResponse, self._tried(method, path, lambda response: response, **call))

    def _tried(
        self, method: str, path: str, read: Callable[[http.client.HTTPResponse], Any], **call: Any
    ) -> Any:
        retries = 0
        while True:
            try:
                return self._once(method, path, read, **call)
            except ScriptoriumError as error:
                delay = self.delay_before_retry(error, retries)
                if delay is None:
                    raise
                retries += 1
                time.sleep(delay)

    def delay_before_retry(self, error: ScriptoriumError, retries: int) -> Optional[float]:
        """Seconds, or None where trying again would not help or was done often enough."""
        status = error.status or 0
        is_passing = isinstance(error, ConnectionLostError) or status in (408, 429) or status >= 500
        after = error.retry_after or 0.0
        if not is_passing or after > _RETRY_AFTER_MAX or retries >= self.max_retries:
            return None
        backoff = min(_DELAY_MAX, self.backoff * 2.0**retries)
        return max(after, backoff * random.uniform(0.5, 1))

    def _once(
        self,
        method: str,
        path: str,
        read: Callable[[http.client.HTTPResponse], Any],
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Optional[Mapping[str, Any]] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> Any:
        given = {name: value for name, value in (query or {}).items() if value is not None}
        url = self.base_url + path + ("?" + urllib.parse.urlencode(given) if given else "")
        request = urllib.request.Request(url, method=method)
        request.add_header("Authorization", f"Bearer {self._api_key}")
        if body is not None:
            request.add_header("Content-Type", "application/json")
            request.data = json.dumps(body).encode()
        for name, value in (headers or {}).items():
            request.add_header(name, value)
        try:
            return read(urllib.request.urlopen(request, timeout=self.timeout))
        except urllib.error.HTTPError as refusal:
            with refusal:
                raise _error_of(refusal, self.base_url) from None
        except (OSError, http.client.HTTPException, ValueError) as cause:
            raise self.lost(cause) from cause

    def lost(self, cause: BaseException) -> ConnectionLostError:
        reason = cause.reason if isinstance(cause, urllib.error.URLError) else cause
        if isinstance(reason, TimeoutError):
            return TimedOutError("timeout", f"{self.base_url} did not answer within {self.timeout} s.")
        message = f"The connection to {self.base_url} was lost: {reason}"
        if isinstance(cause, urllib.error.URLError):
            message = f"{self.base_url} cannot be reached: {reason}"
        elif isinstance(cause, (json.JSONDecodeError, UnicodeDecodeError)):
            message = f"{self.base_url} answered with something that is no JSON. Check the address."
        return ConnectionLostError("connection_lost", message)


def _error_of(refusal: urllib.error.HTTPError, server: str = "The server") -> ApiError:
    try:
        told = json.loads(refusal.read())["error"]
        code, message, job_id = str(told["code"]), str(told["message"]), told.get("jobId")
    except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError):
        fallback = "internal_error" if refusal.code >= 500 else "invalid_request"
        code, job_id = _CODES.get(refusal.code, fallback), None
        advice = "check the address" if refusal.code < 500 else "try again"
        message = f"{server} answered with status {refusal.code}; {advice}."
    return _CLASSES.get(code, ApiError)(
        code,
        message,
        status=refusal.code,
        request_id=refusal.headers.get("X-Request-Id"),
        job_id=job_id,
        retry_after=_seconds_of(refusal.headers.get("Retry-After")),
        field=refusal.headers.get("X-Invalid-Field"),
    )


def _seconds_of(text: Optional[str]) -> Optional[float]:
    """`Retry-After` is seconds or a date."""
    if text is None:
        return None
    try:
        return float(text) if text.isdigit() else max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


def _path_of(thing_id: str, folder: str = "/jobs") -> str:
    """Ids are data: one with a slash or a dot must not lead to another address."""
    return folder + "/" + urllib.parse.quote(thing_id, safe="").replace(".", "%2E")


# ---- Files ----


class FileStream:
    """A file's bytes: iterate over chunks, `read()` all, or `save(path)`.

    Files of a final job never change, which their ETag says: after a cut the rest is asked for. A file of a running
    job is a snapshot that cannot be had again: a cut is an error there. `size` is None where it is not known.
    """

    def __init__(self, transport: Transport, path: str, query: Optional[Mapping[str, Any]] = None) -> None:
        self._transport = transport
        self._path = path
        self._query = query
        self._response = transport.open("GET", path, query=query)
        length = self._response.headers.get("Content-Length")
        self.size: Optional[int] = int(length) if length is not None else None
        self._etag = self._response.headers.get("ETag")

    def __iter__(self) -> Iterator[bytes]:
        received = 0
        failures = 0
        while True:
            try:
                chunk = self._response.read1(_CHUNK)
                if not chunk and self.size is not None and received < self.size:
                    raise http.client.IncompleteRead(b"", self.size - received)
            except (OSError, http.client.HTTPException) as cause:
                self._reopen(cause, received, failures)
                failures += 1
                continue
            if not chunk:
                return self._response.close()
            failures = 0
            received += len(chunk)
            yield chunk

    def read(self) -> bytes:
        return b"".join(self)

    def save(self, path: str) -> None:
        """Writes the file. Where `path` is a link, what that names is not touched: it raises an `OSError`."""
        with open(path, "wb", opener=_without_links) as file:
            for chunk in self:
                file.write(chunk)

    def close(self) -> None:
        self._response.close()

    def _reopen(self, cause: BaseException, received: int, failures: int) -> None:
        self._response.close()
        lost = self._transport.lost(cause)
        delay = self._transport.delay_before_retry(lost, failures)
        if delay is None or self._etag is None:
            raise lost from cause
        time.sleep(delay)
        headers = {"Range": f"bytes={received}-", "If-Range": self._etag}
        self._response = self._transport.open("GET", self._path, query=self._query, headers=headers)
        if self._response.status != 206:
            self._response.read(received)


def _without_links(path: str, flags: int) -> int:
    """Whoever may write to a folder could plant a link in it, so that another file would be written over."""
    try:
        return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0), 0o666)
    except OSError as error:
        if error.errno != errno.ELOOP:
            raise
        raise OSError(errno.ELOOP, "it is a link, which is not followed: name the file itself", path) from None


class Files:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def zip(
        self,
        job_id: str,
        *,
        names: Optional[str] = None,
        formats: Optional[Sequence[str]] = None,
        exports: Optional[Sequence[str]] = None,
        after: Optional[int] = None,
        texts: Optional[str] = None,
    ) -> FileStream:
        """
        Every file of the job or batch, or those of `formats`; `names="title"` names them readably, by default they have
        numbers. `after`: only videos that finished after so many others, delivered or not. `texts="all"`: also what
        other orders brought for its videos, those that it left out as `unchanged`.

        `exports` adds files of each video: words of `ZIP_EXPORTS`. A ZIP with them is made while it is sent: one that
        is cut is an error.
        """
        query = {"names": names, "formats": _listed(formats), "exports": _listed(exports), "after": after}
        return self._whole(job_id, "zip", {**query, "texts": texts})

    def text(self, job_id: str, *, texts: Optional[str] = None) -> FileStream:
        """All texts in one file; `texts` as for `zip`."""
        return self._whole(job_id, "text", {"texts": texts})

    def report(self, job_id: str, *, texts: Optional[str] = None) -> FileStream:
        """One CSV line for each video, failures included; `texts` as for `zip`."""
        return self._whole(job_id, "report", {"texts": texts})

    def _whole(self, order_id: str, file: str, query: Dict[str, Any]) -> FileStream:
        folder = "/batches" if order_id.startswith("batch_") else "/jobs"
        return FileStream(self._transport, f"{_path_of(order_id, folder)}/{LIBRARY_FILES[file]}", query)

    def video(self, job_id: str, index: int, format: str) -> FileStream:
        """One video in a format: a key of `FORMAT_ENDINGS`."""
        return FileStream(self._transport, f"{_path_of(job_id)}/files/{index}.{FORMAT_ENDINGS[format]}")

    def words(self, job_id: str, index: int) -> Words:
        """When each word of a video is said. Raises `NotFoundError` where no times are kept: `library.video` says so
        before, by its `hasWordTimes`."""
        return cast(Words, self._transport.json("GET", f"{_path_of(job_id)}/videos/{index}/words.json"))

    def words_vtt(self, job_id: str, index: int) -> FileStream:
        """The captions as WebVTT in which each word has its time; as `words` for those that have none."""
        return FileStream(self._transport, f"{_path_of(job_id)}/videos/{index}/words.vtt")


def _listed(names: Optional[Sequence[str]]) -> Optional[str]:
    return None if names is None else ",".join(names)


# ---- Jobs ----

_PAGE = 50
_BARE_PAGE = 200
_PAUSE_MAX = 5
_JOB_VIDEOS_MAX = 500
_RECONNECT = 2.0


def is_final(job: Job) -> bool:
    """Whether the job is over and billed."""
    return job["state"] in _FINAL


def _request(
    urls: Union[str, Sequence[str]],
    *,
    language: Optional[str] = None,
    formats: Optional[Sequence[str]] = None,
    max_videos: Optional[int] = None,
    published_after: Optional[str] = None,
    published_before: Optional[str] = None,
) -> Dict[str, Any]:
    """The body of a job or a preview."""
    given = {
        "urls": urls if isinstance(urls, str) else list(urls),
        "language": language,
        "formats": None if formats is None else list(formats),
        "maxVideos": max_videos,
        "publishedAfter": published_after,
        "publishedBefore": published_before,
    }
    return {name: value for name, value in given.items() if value is not None}


class Jobs:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def start(
        self,
        urls: Union[str, Sequence[str]],
        *,
        language: Optional[str] = None,
        formats: Optional[Sequence[str]] = None,
        max_videos: Optional[int] = None,
        published_after: Optional[str] = None,
        published_before: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        preview_id: Optional[str] = None,
        owned: Optional[str] = None,
        track: Optional[str] = None,
    ) -> Job:
        """Starts a job; what it may cost is set aside. What is None has the API's default: the original language,
        all formats, 500 videos, any date.

        The same key with the same request starts one job, however often it is sent. By default each call makes a
        key of its own, which its retries keep. JobInProgressError while a job with the same URLs runs.
        `preview_id`: of a preview of the same URLs; what it listed is not listed again.
        `owned`: "skip" gives videos that the account owns by other orders as `unchanged`, uncharged; "again" (the
        API's default) buys them again, and a notice says so.
        `track`: the kind to take where the language has both: "asr", the automatic one, or "manual", the creator's
        own, as without it.
        """
        body = _request(
            urls,
            language=language,
            formats=formats,
            max_videos=max_videos,
            published_after=published_after,
            published_before=published_before,
        )
        headers = {"Idempotency-Key": idempotency_key or secrets.token_hex(16)}
        query = {"preview": preview_id, "owned": owned, "track": track}
        told, job = self._transport.answer("POST", "/jobs", query=query, body=body, headers=headers)
        notice = told.get("X-Balance-Notice")
        return cast(Job, job if notice is None else {**job, "balanceNotice": notice})

    def start_or_join(self, urls: Union[str, Sequence[str]], **options: Any) -> Job:
        """Starts a job, or answers the one that already runs for the same URLs."""
        try:
            return self.start(urls, **options)
        except JobInProgressError as running:
            return self.get(running.job_id or "")

    def get(self, job_id: str, *, wait_seconds: int = 0) -> Job:
        """State and progress; with `wait_seconds` (up to 60) when the job is final or they are over."""
        query = {"wait": wait_seconds or None, "view": "named"}
        return cast(Job, self._transport.json("GET", _path_of(job_id), query=query))

    def wait(
        self,
        job_id: str,
        *,
        on_progress: Optional[Callable[[Job], None]] = None,
        every_seconds: int = _WAIT_MAX,
    ) -> Job:
        """Answers when the job is final, whatever its ending. `on_progress` is called with each answer: one comes
        after `every_seconds` at the latest."""
        patience = int(self._transport.timeout * 2 / 3)
        wait_seconds = max(1, min(every_seconds, patience, _WAIT_MAX))
        while True:
            job = self.get(job_id, wait_seconds=wait_seconds)
            if on_progress is not None:
                on_progress(job)
            if is_final(job):
                return job

    def results(self, job_id: str) -> Iterator[Video]:
        """Every row of a job once, whatever its status. While the job runs, rows come as they are recorded, and the
        iterator ends with the job; of a final job they come in order of `index`. Each says by `textRow` which row, of
        whichever job, holds its text."""
        seen: Dict[int, bool] = {}
        was_running = False
        pause = 1
        offset = 0
        while True:
            page = self.results_page(job_id, offset=offset, limit=_PAGE, include="textRow")
            yield from _unseen(page["videos"], seen)
            following = page["nextOffset"]
            offset = following if following is not None else offset + len(page["videos"])
            if page["complete"] and (was_running or following is None):
                if len(seen) < page["total"]:
                    yield from self._missing(job_id, seen)
                return
            was_running = was_running or not page["complete"]
            if following is None:
                self.get(job_id, wait_seconds=pause)
                pause = min(_PAUSE_MAX, pause + 1)

    def _missing(self, job_id: str, seen: Dict[int, bool]) -> Iterator[Video]:
        """Rows move when a job becomes final: what was not read before is looked up by its index."""
        yield from _unseen(self._where(job_id, lambda video: video["index"] not in seen), seen)

    def _where(self, job_id: str, is_wanted: Callable[[Video], bool]) -> Iterator[Video]:
        """Those rows of a final job that are wanted; of pages with texts, only where such rows lie."""
        wanted = [offset for offset, video in enumerate(self._bare(job_id)) if is_wanted(video)]
        yield from filter(is_wanted, self._near(job_id, wanted))

    def _at(self, job_id: str, indexes: Set[int]) -> Iterator[Video]:
        """The rows of a job with these indexes. A final job has row N at N - 1 unless some before it were never
        finished: only then is it looked up."""
        missing = set(indexes)
        for video in self._near(job_id, [index - 1 for index in sorted(missing)]):
            if video["index"] in missing:
                missing.remove(video["index"])
                yield video
        if missing:
            yield from self._where(job_id, lambda video: video["index"] in missing)

    def _bare(self, job_id: str) -> Iterator[Video]:
        """The rows of a job without texts."""
        offset: Optional[int] = 0
        while offset is not None:
            page = self.results_page(job_id, offset=offset, limit=_BARE_PAGE, view="rows")
            yield from page["videos"]
            offset = page["nextOffset"]

    def _near(self, job_id: str, offsets: Sequence[int]) -> Iterator[Video]:
        """The rows at these offsets, which rise, and those between them that their pages have, too."""
        while offsets:
            near = [offset for offset in offsets if offset < offsets[0] + _PAGE]
            page = self.results_page(job_id, offset=near[0], limit=near[-1] - near[0] + 1, include="textRow")
            yield from page["videos"]
            offsets = offsets[len(near) :]

    def results_page(
        self,
        job_id: str,
        *,
        offset: Optional[int] = None,
        limit: Optional[int] = None,
        view: Optional[str] = None,
        status: Optional[str] = None,
        q: Optional[str] = None,
        include: Optional[str] = None,
    ) -> Results:
        """One page of rows: 50 by default, 200 at most; `view="rows"` leaves texts and segments out, and
        `include="textRow"` says of each row which one holds its text."""
        query = {"offset": offset, "limit": limit, "view": view, "status": status, "q": q, "include": include}
        return cast(Results, self._transport.json("GET", f"{_path_of(job_id)}/results", query=query))

    def events(self, job_id: str, *, last_event_id: Optional[str] = None) -> Iterator[Dict[str, Any]]:
        """What happens to a job, as it happens: `{"type": "job", "job"}`, `{"type": "video", "id", "video"}` (a
        finished row without text and segments) and at last `{"type": "end"}`. Lost connections are taken up where
        they broke off; `last_event_id` goes on after an event had before."""
        last = last_event_id
        failures = 0
        while True:
            headers = {"Accept": "text/event-stream"}
            if last is not None:
                headers["Last-Event-ID"] = last
            response = self._transport.open("GET", f"{_path_of(job_id)}/events", headers=headers)
            if response.status == 204:
                return
            cause: BaseException = http.client.IncompleteRead(b"")
            try:
                for name, data, event_id in _messages_of(response):
                    last = event_id or last
                    if name == "job":
                        yield {"type": "job", "job": json.loads(data)}
                    elif name == "video":
                        yield {"type": "video", "id": event_id, "video": json.loads(data)}
                    elif name == "end":
                        yield {"type": "end"}
                        return
                    failures = 0
            except (OSError, http.client.HTTPException) as error:
                cause = error
            finally:
                response.close()
            lost = self._transport.lost(cause)
            delay = self._transport.delay_before_retry(lost, failures)
            if delay is None:
                raise lost
            failures += 1
            time.sleep(max(delay, _RECONNECT))

    def cancel(self, job_id: str) -> Job:
        """Stops a job: what it delivered is charged and stays readable. A final job stays as it is."""
        return cast(Job, self._transport.json("POST", f"{_path_of(job_id)}/cancel"))

    def list(self, *, offset: int = 0, limit: int = 20) -> JobList:
        """A page of the account's jobs, newest first; `limit` up to 50."""
        query = {"offset": offset, "limit": limit, "view": "named"}
        return cast(JobList, self._transport.json("GET", "/jobs", query=query))

    def change(self, job_id: str, **change: Optional[str]) -> Job:
        """`name` and `note` of a job; None takes either away, and what is left out stays."""
        return cast(Job, self._transport.json("PATCH", _path_of(job_id), body=change))

    def delete_texts(self, job_id: str, *, dry_run: bool = False) -> Optional[TextDeletion]:
        """Deletes the texts of a job for good, from each order of the account that brought the same words; rows, receipts
        and charges stay. `dry_run` deletes nothing, and answers what would go."""
        return _deletion(self._transport, f"{_path_of(job_id)}/texts", dry_run)

    def delete_text(self, job_id: str, index: int, *, dry_run: bool = False) -> Optional[TextDeletion]:
        """Deletes the text of one row, as `delete_texts` does those of a job."""
        return _deletion(self._transport, f"{_path_of(job_id)}/videos/{index}/text", dry_run)

    def receipt(self, job_id: str) -> Receipt:
        """The signed receipt of a final job; NotFoundError before."""
        return cast(Receipt, self._transport.json("GET", f"{_path_of(job_id)}/receipt"))


def _deletion(transport: Transport, path: str, dry_run: bool, texts: Optional[str] = None) -> Optional[TextDeletion]:
    query = {"texts": texts, "dryRun": "true" if dry_run else None}
    return cast(Optional[TextDeletion], transport.json("DELETE", path, query=query))


def _unseen(videos: Iterable[Video], seen: Dict[int, bool]) -> Iterator[Video]:
    for video in videos:
        if video["index"] not in seen:
            seen[video["index"]] = True
            yield video


def _messages_of(response: http.client.HTTPResponse) -> Iterator[tuple[str, str, str]]:
    """Server-sent events: name, data, id."""
    name, data, event_id = "", [""], ""
    for raw in response:
        line = raw.decode().rstrip("\r\n")
        if line == "":
            if name:
                yield name, "\n".join(data[1:]), event_id
            name, data, event_id = "", [""], ""
        field, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if field == "event":
            name = value
        elif field == "data":
            data.append(value)
        elif field == "id":
            event_id = value


# ---- Batches ----


class Batches:
    """Orders of more than a job may have, which the service runs as one job after another."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        urls: Union[str, Sequence[str]],
        *,
        name: Optional[str] = None,
        owned: Optional[str] = None,
        track: Optional[str] = None,
        **options: Any,
    ) -> Batch:
        """Orders up to 1,000 lines and 50,000 videos; nothing is set aside before its jobs start. `options` are the
        fields of `jobs.start`. Answers the batch that runs where one of the same lines does. `owned="again"` buys
        again what other orders delivered."""
        body = _request(urls, **options)
        if name is not None:
            body["name"] = name
        query = {"owned": owned, "track": track}
        return cast(Batch, self._transport.json("POST", "/batches", query=query, body=body))

    def get(self, id: str) -> Batch:
        return cast(Batch, self._transport.json("GET", _path_of(id, "/batches")))

    def list(self, *, offset: int = 0, limit: int = 20) -> BatchList:
        """A page of the account's batches, newest first; `limit` up to 50."""
        query = {"offset": offset, "limit": limit}
        return cast(BatchList, self._transport.json("GET", "/batches", query=query))

    def all(self) -> Iterator[BatchSummary]:
        """All of the account's batches, newest first."""
        offset: Optional[int] = 0
        while offset is not None:
            page = self.list(offset=offset, limit=50)
            yield from page["batches"]
            offset = page["nextOffset"]

    def change(self, id: str, **change: Optional[str]) -> Batch:
        """`name` (None: what it is about), `state` ("running" or "stopped")."""
        return cast(Batch, self._transport.json("PATCH", _path_of(id, "/batches"), body=change))

    def stop(self, id: str) -> Batch:
        """Stops a batch and cancels its job that runs: what was delivered is charged and stays."""
        return self.change(id, state="stopped")

    def resume(self, id: str) -> Batch:
        """Continues a stopped batch where it was stopped."""
        return self.change(id, state="running")


# ---- Subscriptions ----


class Subscriptions:
    """Channels and playlists whose new videos are bought by themselves."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        url: str,
        *,
        monthly_cap: str,
        language: Optional[str] = None,
        formats: Optional[Sequence[str]] = None,
        backlog: Optional[int] = None,
        published_after: Optional[str] = None,
        every_hours: Optional[int] = None,
        owned: Optional[str] = None,
    ) -> Subscription:
        """Follows a channel or playlist for at most `monthly_cap` USD a month. Nothing is bought before something new is
        found. What the account owns is left out, unless `owned` is "again". Sent again after a lost answer, it is refused where it was made: `find` answers it."""
        fields = {
            "url": url,
            "monthlyCap": monthly_cap,
            "language": language,
            "formats": None if formats is None else list(formats),
            "backlog": backlog,
            "publishedAfter": published_after,
            "everyHours": every_hours,
            "owned": owned,
        }
        body = {name: value for name, value in fields.items() if value is not None}
        return cast(Subscription, self._transport.json("POST", "/subscriptions", body=body))

    def get(self, id: str) -> Subscription:
        return cast(Subscription, self._transport.json("GET", _path_of(id, "/subscriptions")))

    def list(self, *, offset: int = 0, limit: int = 20) -> SubscriptionList:
        """A page of what the account follows, newest first; `limit` up to 100."""
        query = {"offset": offset, "limit": limit}
        return cast(SubscriptionList, self._transport.json("GET", "/subscriptions", query=query))

    def all(self) -> Iterator[Subscription]:
        """All that the account follows, newest first."""
        offset: Optional[int] = 0
        while offset is not None:
            page = self.list(offset=offset, limit=100)
            yield from page["subscriptions"]
            offset = page["nextOffset"]

    def find(self, url: str) -> Optional[Subscription]:
        """What follows exactly this line."""
        return next((one for one in self.all() if one["url"] == url.strip()), None)

    def change(self, id: str, **change: Any) -> Subscription:
        """`monthly_cap`, `every_hours` (None: as often as it publishes), `state` ("active" or "paused")."""
        names = {"monthly_cap": "monthlyCap", "every_hours": "everyHours"}
        body = {names.get(name, name): value for name, value in change.items()}
        return cast(Subscription, self._transport.json("PATCH", _path_of(id, "/subscriptions"), body=body))

    def remove(self, id: str) -> None:
        """Follows no longer; jobs and transcripts stay."""
        self._transport.json("DELETE", _path_of(id, "/subscriptions"))


# ---- The client ----


# Written by `npm run print`: the files that can be downloaded.

# Endings of a video's files, by the formats that an order names.
FORMAT_ENDINGS = {
    "text": "txt",
    "srt": "srt",
    "vtt": "vtt",
    "segments": "json",
}
# Further files of each video that a ZIP holds on wish.
ZIP_EXPORTS = (
    # Markdown with linked times.
    "md",
    # JSON lines, one line for each passage.
    "jsonl",
    # The time of each word, where it is known, as JSON.
    "words",
    # The time of each word, where it is known, as WebVTT.
    "wordsvtt",
)
# Files that hold everything of a channel, a playlist or a project, by their names in this client.
LIBRARY_FILES = {
    # All texts in each format, and the report.
    "zip": "files/zip",
    # All texts in one.
    "text": "files/all.txt",
    # A line for each video, failures included.
    "report": "files/report.csv",
    # Markdown with linked times.
    "markdown": "files/export.md",
    # JSON lines, one line for each passage.
    "passages": "files/export.jsonl",
    # JSON lines, one line for each video.
    "videos": "files/export.videos.jsonl",
    # The columns that 4CAT takes in.
    "four_cat": "files/export.4cat.csv",
    # RIS, an entry for each video, for reference managers.
    "ris": "files/export.ris",
    # CSL-JSON, an entry for each video, for reference managers.
    "csl": "files/export.csl.json",
    # Sources for NotebookLM.
    "notebook": "files/notebook.zip",
    # A note with properties for each text.
    "vault": "files/vault.zip",
}

# End of what is printed.


class Library:
    """What the account has of each channel and playlist, whichever jobs brought it."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        offset: Optional[int] = None,
        limit: Optional[int] = None,
        q: Optional[str] = None,
        kind: Optional[str] = None,
        sort: Optional[str] = None,
        view: Optional[str] = None,
        job: Optional[str] = None,
    ) -> CollectionList:
        """A page of the account's channels and playlists, what changed last first.

        `q`: only those whose name contains it; `kind`: `channel` or `playlist`; `sort`: `changed`, `title`, `delivered`
        or `remaining`; `view`: `pictures` adds `pictureUrl`. `job`: only those of its lines, whatever the others say.
        """
        query = {"offset": offset, "limit": limit, "q": q, "kind": kind, "sort": sort, "view": view, "job": job}
        return cast(CollectionList, self._transport.json("GET", "/library", query=query))

    def get(self, collection_id: str) -> CollectionDetail:
        """`collection_id`: the platform's own, of a channel (`UC…`) or playlist."""
        return cast(CollectionDetail, self._transport.json("GET", _path_of(collection_id, "/library")))

    def videos_page(self, collection_id: str, **options: Any) -> LibraryVideoList:
        """`options`: `offset`, `limit`, `status`, `q` (part of the title), `language`."""
        path = f"{_path_of(collection_id, '/library')}/videos"
        return cast(LibraryVideoList, self._transport.json("GET", path, query=options))

    def videos(self, collection_id: str, **options: Any) -> Generator[LibraryVideo, None, None]:
        """Every video of a collection, the newest first, page by page; `options` are those of `videos_page`."""
        offset: Optional[int] = options.pop("offset", 0)
        while offset is not None:
            page = self.videos_page(collection_id, **{"limit": 200, **options, "offset": offset})
            yield from page["videos"]
            offset = page["nextOffset"]

    def file(
        self,
        collection_id: str,
        file: str,
        *,
        formats: Optional[Sequence[str]] = None,
        exports: Optional[Sequence[str]] = None,
        seconds: Optional[int] = None,
        parts: Optional[int] = None,
        words: Optional[int] = None,
    ) -> FileStream:
        """Everything of a collection as one file, a key of `LIBRARY_FILES`; `exports` as for jobs.

        `seconds`: the longest passage of `passages`; `parts` and `words`: the most sources of a `notebook`, and the most
        words in each.
        """
        query = {
            "formats": _listed(formats),
            "exports": _listed(exports),
            "seconds": seconds,
            "parts": parts,
            "words": words,
        }
        path = f"{_path_of(collection_id, '/library')}/{LIBRARY_FILES[file]}"
        return FileStream(self._transport, path, query)

    def video(self, job_id: str, index: int) -> JobVideo:
        """One row of a job with what the platform says of its video, its tracks, and where its text is and is from."""
        return cast(JobVideo, self._transport.json("GET", f"{_path_of(job_id)}/videos/{index}"))

    def delete_texts(self, collection_id: str, *, dry_run: bool = False) -> Optional[TextDeletion]:
        """Deletes all texts of a collection or project, as `jobs.delete_texts` does those of a job. Answers those of many
        that are left, which the service deletes next."""
        return _deletion(self._transport, f"{_path_of(collection_id, '/library')}/texts", dry_run)


class Projects:
    """Collections of the account's own: texts of any of its orders, under a name, a note and tags."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(self, name: str, *, note: Optional[str] = None, tags: Sequence[str] = ()) -> Project:
        """An empty project. Where the answer is lost, `find` tells whether it was made."""
        body = {"name": name, "note": note, "tags": list(tags)}
        return cast(Project, self._transport.json("POST", "/projects", body=body))

    def get(self, id: str) -> Project:
        return cast(Project, self._transport.json("GET", _path_of(id, "/projects")))

    def list(self, *, offset: int = 0, limit: int = 50) -> ProjectList:
        """A page of the account's projects, the last changed first; `limit` up to 200."""
        query = {"offset": offset, "limit": limit}
        return cast(ProjectList, self._transport.json("GET", "/projects", query=query))

    def find(self, name: str) -> Optional[Project]:
        """The project with exactly this name, the last changed of several."""
        return next((one for one in self.list(limit=200)["projects"] if one["name"] == name.strip()), None)

    def change(self, id: str, **change: Any) -> Project:
        """`name`, `note` (None: nothing), `tags`; what is left out stays."""
        return cast(Project, self._transport.json("PATCH", _path_of(id, "/projects"), body=change))

    def remove(self, id: str, *, with_texts: bool = False, dry_run: bool = False) -> Optional[TextDeletion]:
        """Deletes the project; its transcripts stay in the library, unless `with_texts`. `dry_run` deletes nothing, and
        answers the texts that would go."""
        return _deletion(self._transport, _path_of(id, "/projects"), dry_run, "true" if with_texts else None)

    def add(self, id: str, **what: Any) -> ProjectVideosAdded:
        """`videos` (dictionaries with `jobId` and `index`), or `job`, `batch`, or `collection` with `q` and `language`.
        Adding twice changes nothing."""
        path = f"{_path_of(id, '/projects')}/videos"
        return cast(ProjectVideosAdded, self._transport.json("POST", path, body=what))

    def take(self, id: str, video_id: str) -> None:
        """Takes a video out, in all of its languages; its transcripts stay in the library."""
        self._transport.json("DELETE", f"{_path_of(id, '/projects')}/videos/{urllib.parse.quote(video_id, safe='')}")


def _is_between(video: Video, asked: JobInput) -> bool:
    """Whether a video lies within the dates that the job asks for: the service lists all that the account has."""
    after, before = asked["publishedAfter"], asked["publishedBefore"]
    if after is None and before is None:
        return True
    if video["publishedAt"] is None:
        return False
    at = video["publishedAt"]
    return (after is None or _compared(at, after) >= 0) and (before is None or _compared(at, before) <= 0)


def _compared(at: str, bound: str) -> int:
    """A date against a bound: its day, by its own clock, against a day; its instant against an instant."""
    if "t" not in bound.lower():
        return (at[:10] > bound) - (at[:10] < bound)
    return (_utc(at) > _utc(bound)) - (_utc(at) < _utc(bound))


def _is_wished(asked: JobInput, video: Video) -> bool:
    """Whether a delivered text is in the language that the job wished, as far as its code tells."""
    wish = asked["language"].lower()
    return wish == "original" or wish.split("-")[0] == (video["languageCode"] or "").lower().split("-")[0]


def _utc(text: str) -> datetime:
    """An instant, in UTC where the text names no other offset; a day is its first instant."""
    digits = re.sub(r"\.\d+", lambda part: part.group()[:7].ljust(7, "0"), text.upper())
    whole = re.sub(r"([+-]\d\d):?(\d\d)$", r"\1:\2", digits.replace("Z", "+00:00")) if "T" in digits else digits
    at = datetime.fromisoformat(whole)
    return at if at.tzinfo else at.replace(tzinfo=timezone.utc)


class Scriptorium:
    """`base_url`: `https://host` or `https://host/api/v1`. What failed in passing (408, 429, 5xx, lost connections) is
    sent again up to `max_retries` times, after `Retry-After`, or after `backoff` seconds that double up to 8.
    `timeout`: seconds without a byte after which an answer is given up; the service may hold one for 60."""

    def __init__(
        self,
        *,
        api_key: str,
        base_url: str,
        max_retries: int = 2,
        backoff: float = 0.5,
        timeout: float = 90.0,
    ) -> None:
        address = base_url.rstrip("/")
        base = address if address.endswith("/api/v1") else address + "/api/v1"
        self.transport = Transport(api_key, base, max_retries, backoff, timeout)
        self.jobs = Jobs(self.transport)
        self.batches = Batches(self.transport)
        self.files = Files(self.transport)
        self.library = Library(self.transport)
        self.subscriptions = Subscriptions(self.transport)
        self.projects = Projects(self.transport)

    def transcripts(
        self,
        urls: Union[str, Sequence[str]],
        *,
        on_skipped: Optional[Callable[[Video], object]] = None,
        earlier: bool = True,
        owned: str = "skip",
        **options: Any,
    ) -> Generator[Video, None, Job]:
        """The delivered videos behind these URLs, with their texts, as they arrive: starts a job (or joins the one
        that runs for the same URLs), waits and pages by itself; `options` are those of `jobs.start`. Then come, for
        nothing, those that the account has already, each as the row of the job that delivered it; `earlier=False`
        leaves them out. `owned="again"` buys again what other orders delivered. `on_skipped` is called with each
        video that yields nothing, and each line that cannot be read: its `status` and `label` say why. More lines or
        videos than a job may have are ordered as a batch, and come job by job. Returns the job, of a batch the last
        one. JobEndedError at the end where the job did not finish, BatchStoppedError where the batch stopped. Leaving
        the loop early stops neither: `jobs.cancel` and `batches.stop` do."""
        skip = on_skipped or (lambda video: None)
        seen: Set[str] = set()
        job_id = self._unless_large(urls, owned, options)
        if job_id is not None:
            job = yield from self._texts_of_job(job_id, skip, earlier, seen)
            if job["state"] != "finished":
                raise JobEndedError(job)
            return job
        order = {name: value for name, value in options.items() if name not in ("idempotency_key", "preview_id")}
        batch = self.batches.create(urls, owned=owned, **order)
        last: Optional[Job] = None
        read, pause = 0, 1
        while read < len(batch["jobs"]) or batch["state"] == "running":
            if read < len(batch["jobs"]):
                last = yield from self._texts_of_job(batch["jobs"][read]["id"], skip, earlier, seen)
                read, pause = read + 1, 1
            else:
                time.sleep(pause)
                pause = min(_PAUSE_MAX, pause + 1)
            batch = self.batches.get(batch["id"])
        if last is None or batch["state"] == "stopped":
            raise BatchStoppedError(batch)
        return last

    def _unless_large(self, urls: Union[str, Sequence[str]], owned: str, options: Mapping[str, Any]) -> Optional[str]:
        """The id of a job; None for what is too much for one. Only the service can count the lines of a web page. What
        else is wrong with them is said again by the batch, which is refused, too."""
        if (options.get("max_videos") or 0) > _JOB_VIDEOS_MAX:
            return None
        try:
            return self.jobs.start_or_join(urls, owned=owned, **options)["id"]
        except InvalidRequestError as refusal:
            if refusal.field != "urls":
                raise
            return None

    def _texts_of_job(
        self, job_id: str, skip: Callable[[Video], object], earlier: bool, seen: Set[str]
    ) -> Generator[Video, None, Job]:
        """The texts of a job, then those that the account has already. `seen`: what this order has yielded or told, as
        a batch orders a part again while it goes on, and a later job names what an earlier one had."""

        def is_new(video: Video) -> bool:
            text = f"text {video['videoId']}"
            is_text = video["status"] == "success"
            name = text if is_text else f"{video['status']} {video['videoId'] or video['url']}"
            if name in seen or (not is_text and text in seen):
                return False
            seen.add(name)
            return True

        unchanged: List[Video] = []
        for video in self.jobs.results(job_id):
            if video["status"] == "unchanged" and earlier:
                unchanged.append(video)
            elif is_new(video):
                if video["status"] == "success":
                    yield video
                else:
                    skip(video)
        job = self.jobs.get(job_id)
        asked = job["input"]
        missing = [one for one in unchanged if _is_between(one, asked) and f"text {one['videoId']}" not in seen]
        for video in self._earlier(job, missing):
            if is_new(video):
                if video["status"] == "success":
                    yield video
                else:
                    skip(video)
        return job

    def _earlier(self, job: Job, unchanged: Sequence[Video]) -> Iterator[Video]:
        """A row for each video, once: the one with its text, or its own where none is kept."""
        wanted = {video["videoId"]: video for video in unchanged}
        for job_id, indexes in self._text_rows(job, unchanged).items():
            for video in self.jobs._at(job_id, indexes):
                if video["text"] is not None and video["videoId"] in wanted:
                    del wanted[video["videoId"]]
                    yield video
        yield from wanted.values()

    def _text_rows(self, job: Job, unchanged: Sequence[Video]) -> Dict[str, Set[int]]:
        """The rows that hold the texts of `unchanged` ones, as indexes by the ids of their jobs."""
        found: Dict[str, Set[int]] = {}
        wanted = {video["videoId"]: video for video in unchanged}
        for row in list(wanted.values()):
            is_told = "textRow" in row
            if not is_told and row["videoId"] not in wanted:
                continue
            place = row["textRow"] if is_told else self.library.video(job["id"], row["index"])["text"]
            if place is None:
                continue
            indexes = found.setdefault(place["jobId"], set())
            if is_told:
                indexes.add(place["index"])
                continue
            # A service of an earlier release does not say it of rows. The job that holds one text is looked through for
            # all.
            for video in self.jobs._bare(place["jobId"]):
                is_meant = video["videoId"] == row["videoId"] or _is_wished(job["input"], video)
                if video["status"] == "success" and is_meant and video["videoId"] in wanted:
                    del wanted[video["videoId"]]
                    indexes.add(video["index"])
        return found

    def search(self, q: str, **options: Any) -> Generator[SearchHit, None, None]:
        """The places where these words are said in the account's transcripts, as many as the loop takes; `options` are
        those of `search_page`."""
        offset: Optional[int] = options.pop("offset", 0)
        while offset is not None:
            page = self.search_page(q, offset=offset, **options)
            yield from page["hits"]
            offset = page["nextOffset"]

    def search_page(self, q: str, **options: Any) -> SearchResults:
        """A page of hits, with the number of all by channel and month. `options`: `channel`, `language`, `after`,
        `before`, `sort` ("relevance" or "newest"), `offset`, `limit`."""
        query = {"q": q, **options}
        return cast(SearchResults, self.transport.json("GET", "/search", query=query))

    def mentions(self, q: str, **options: Any) -> Generator[Mention, None, None]:
        """Every place where these words are said, newest video first, as many as the loop takes; `options` are those of
        `mentions_page`."""
        offset: Optional[int] = options.pop("offset", 0)
        while offset is not None:
            page = self.mentions_page(q, **{"limit": 200, **options, "offset": offset})
            yield from page["mentions"]
            offset = page["nextOffset"]

    def mentions_page(self, q: str, **options: Any) -> Mentions:
        """A page of mentions, with the number of all by video, channel and month. `options`: `channel`, `video`,
        `language`, `after`, `before`, `offset`, `limit`."""
        query = {"q": q, **options}
        return cast(Mentions, self.transport.json("GET", "/search/mentions", query=query))

    def mentions_csv(self, q: str, **options: Any) -> FileStream:
        """Every mention as one CSV; the filters of `mentions_page`. What could not be finished raises
        ConnectionLostError."""
        return FileStream(self.transport, "/search/mentions.csv", {"q": q, **options})

    def preview(
        self,
        urls: Union[str, Sequence[str]],
        *,
        wait_seconds: int = 30,
        owned: Optional[str] = None,
        track: Optional[str] = None,
        **options: Any,
    ) -> Preview:
        """What a job would take up and cost, line by line: free, and nothing is ordered. `options` are the fields of
        `jobs.start`. Answered when it is ready, or as far as it was found out after `wait_seconds` (up to 60). Its
        `id` is `preview_id` for `jobs.start`."""
        headers = {"Prefer": f"wait={wait_seconds}"}
        body = _request(urls, **options)
        query = {"owned": owned, "track": track}
        return cast(Preview, self.transport.json("POST", "/previews", query=query, body=body, headers=headers))

    def balance(self) -> Balance:
        """The prepaid balance; money reserved for running jobs is already subtracted."""
        return cast(Balance, self.transport.json("GET", "/balance"))


# ---- Webhooks (Standard Webhooks) ----


def verify_webhook(
    payload: Union[str, bytes],
    headers: Mapping[str, str],
    secret: str,
    *,
    tolerance_seconds: float = 300,
) -> Dict[str, Any]:
    """The event of a webhook that is genuine; WebhookError for any other. `payload` is the body as it arrived,
    before any parsing; names of headers may be in any case."""
    named = {name.lower(): value for name, value in headers.items()}
    values = [named.get(name, "") for name in ("webhook-id", "webhook-timestamp", "webhook-signature")]
    if "" in values:
        raise WebhookError("One of its headers is missing.")
    webhook_id, timestamp, signatures = values
    if re.fullmatch("[0-9]{1,12}", timestamp) is None or abs(time.time() - int(timestamp)) > tolerance_seconds:
        raise WebhookError("Its timestamp is too old or lies in the future.")
    body = payload.encode() if isinstance(payload, str) else payload
    key = base64.b64decode(secret[len("whsec_") :] if secret.startswith("whsec_") else secret)
    digest = hmac.new(key, f"{webhook_id}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    expected = "v1," + base64.b64encode(digest).decode()
    if not any(hmac.compare_digest(expected.encode(), one.encode()) for one in signatures.split(" ")):
        raise WebhookError("No signature matches: it is not from the service, or was changed.")
    return cast(Dict[str, Any], json.loads(body))


# ---- Receipts ----


_KEYS_CHANGE_SECONDS = 60
"""A job that ended while the key was being changed may still be signed by the old one."""


_UNSAFE = "is not read by https: others could change it on the way; give keys that you kept"


def verify_receipt(
    receipt: Mapping[str, Any],
    *,
    issuer: Optional[str] = None,
    keys: Optional[Sequence[Mapping[str, Any]]] = None,
    videos: Iterable[Video] = (),
) -> None:
    """Checks signature, sums, every ledger entry's hash and, with `videos`, the texts; ReceiptError where one does
    not hold. Give `issuer`, the address of the service that you trust, whose keys are then read (by https, unless
    it is on this machine: others could put in their keys on the way), or `keys` that you kept from its
    `/.well-known/scriptorium-keys.json`. Keys that cannot be read are another ScriptoriumError: they say nothing
    about the receipt."""
    if keys is None and issuer is None:
        raise TypeError("verify_receipt needs issuer or keys")
    trusted = _published(_keys_at(cast(str, issuer)) if keys is None else keys)
    if not _is_receipt(receipt):
        raise ReceiptError(["it is not a receipt, or parts of it are missing"])
    problems: List[str] = []
    if keys is None and receipt["issuer"].removesuffix("/") != cast(str, issuer).removesuffix("/"):
        problems.append(f"it names {receipt['issuer']} as its issuer")
    problems += _problems_of_signature(receipt, trusted)
    problems += _problems_of_sums(receipt)
    problems += _problems_of_entries(receipt)
    hashes = {one["index"]: one["textSha256"] for one in receipt["delivered"]}
    for video in videos:
        text = video["text"]
        if text is not None and _sha256(text) != hashes.get(video["index"]):
            problems.append(f"the text of {video['index']} is not the receipt's")
    if problems:
        raise ReceiptError(problems)


def _keys_at(issuer: str) -> Any:
    """Whatever goes wrong here says nothing about the receipt."""
    address = issuer.removesuffix("/") + "/.well-known/scriptorium-keys.json"
    unread = f"The keys of the issuer could not be read: {address}"
    if not _is_safe(address):
        raise ScriptoriumError("keys_unreadable", f"{unread} {_UNSAFE}")
    try:
        with urllib.request.urlopen(address, timeout=20) as response:
            if not _is_safe(response.url):
                leads = f"{unread} leads to {response.url}, which {_UNSAFE}"
                raise ScriptoriumError("keys_unreadable", leads)
            keys = json.load(response)["keys"]
    except urllib.error.HTTPError as refusal:
        with refusal:
            error = _error_of(refusal)
            error.args = (f"{unread} answered with status {refusal.code}",)
            raise error from None
    except (OSError, http.client.HTTPException) as cause:
        raise ConnectionLostError("connection_lost", f"{unread} cannot be reached") from cause
    except (ValueError, KeyError, TypeError, RecursionError) as cause:
        raise ScriptoriumError("keys_unreadable", f"{unread} lists none") from cause
    if not isinstance(keys, list):
        raise ScriptoriumError("keys_unreadable", f"{unread} lists none")
    return keys


def _is_safe(address: str) -> bool:
    """Returns whether an address is safe in the sense of browsers: https, or on this machine."""
    try:
        parts = urllib.parse.urlsplit(address)
        host = parts.hostname or ""
    except ValueError:
        return False
    is_here = re.fullmatch(r"(?:[^.]+\.)*localhost|127(?:\.[0-9]+){3}|::1", host) is not None
    return parts.scheme == "https" or (parts.scheme == "http" and is_here)


def _published(keys: Any) -> Sequence[Mapping[str, Any]]:
    def is_key(one: Any) -> bool:
        return (
            isinstance(one, Mapping)
            and isinstance(one.get("id"), str)
            and _is_like(one.get("publicKey"), r"[A-Za-z0-9+/]{43}=")
            and (one.get("retiredAt") is None or _is_time(one["retiredAt"]))
        )

    if isinstance(keys, (list, tuple)) and all(is_key(one) for one in keys):
        return keys
    raise ScriptoriumError("keys_unreadable", "The keys of the issuer could not be read: they are not a list of keys")


_USD = r"[0-9]{1,12}(?:\.[0-9]{1,6})?"
_WHOLE = r"-?[0-9]{1,18}"
_TIME = r"[1-9][0-9]{3}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z"


def _is_like(value: Any, pattern: str) -> bool:
    return isinstance(value, str) and re.fullmatch(pattern, value) is not None


def _is_time(value: Any) -> bool:
    try:
        return _is_like(value, _TIME) and _instant_of(value) > 0
    except ValueError:
        return False


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53


def _are_texts(value: Any, *names: str) -> bool:
    return isinstance(value, Mapping) and all(isinstance(value.get(name), str) for name in names)


def _is_receipt(value: Any) -> bool:
    """All that is checked of a receipt is there and can be calculated with; somebody handed it to whoever checks."""
    if not _are_texts(value, "issuer", "jobId", "accountId"):
        return False
    delivered, ledger, signature = value.get("delivered"), value.get("ledger"), value.get("signature")
    return (
        value.get("type") == "scriptorium-receipt-1"
        and _is_time(value.get("finishedAt"))
        and _is_count(value.get("transcripts"))
        and all(_is_like(value.get(name), _USD) for name in ("pricePerTranscript", "reserved", "charged", "released"))
        and isinstance(delivered, list)
        and all(_are_texts(one, "videoId", "textSha256") and _is_count(one.get("index")) for one in delivered)
        and _are_texts(ledger, "headBefore", "headAfter")
        and isinstance(ledger.get("entries"), list)
        and all(_is_entry(one) for one in ledger["entries"])
        and _are_texts(signature, "keyId")
        and signature.get("algorithm") == "Ed25519"
        and _is_like(signature.get("value"), r"[A-Za-z0-9+/]{86}==")
    )


def _is_entry(value: Any) -> bool:
    return (
        _are_texts(value, "kind", "reference", "createdAt", "previousHash", "hash")
        and _is_like(value.get("number"), r"[0-9]{1,18}")
        and all(_is_like(value.get(name), _WHOLE) for name in ("postedMicros", "heldMicros"))
        and "reason" in value
        and (value["reason"] is None or isinstance(value["reason"], str))
    )


def _problems_of_signature(receipt: Mapping[str, Any], keys: Sequence[Mapping[str, Any]]) -> List[str]:
    signature = receipt["signature"]
    key = next((one for one in keys if one["id"] == signature["keyId"]), None)
    if key is None:
        return [f"the issuer publishes no key {signature['keyId']}"]
    problems = []
    body = {name: value for name, value in receipt.items() if name != "signature"}
    text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    public, value = base64.b64decode(key["publicKey"]), base64.b64decode(signature["value"])
    if not _is_signed(public, text.encode(errors="surrogatepass"), value):
        problems.append("the signature does not match: it was changed after it was signed")
    retired_at = key.get("retiredAt")
    if retired_at is not None:
        # Who finds an old key signs nothing new with it.
        late = _instant_of(receipt["finishedAt"]) - _instant_of(retired_at)
        if late > _KEYS_CHANGE_SECONDS:
            problems.append(f"the key {key['id']} was retired before the job ended")
    return problems


def _instant_of(time_text: str) -> float:
    return datetime.strptime(time_text, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=timezone.utc).timestamp()


def _problems_of_sums(receipt: Mapping[str, Any]) -> List[str]:
    count, price = receipt["transcripts"], _micros(receipt["pricePerTranscript"])
    charged, reserved, released = (_micros(receipt[name]) for name in ("charged", "reserved", "released"))

    def total(kind: str, field: str) -> int:
        return sum(int(entry[field]) for entry in receipt["ledger"]["entries"] if entry["kind"] == kind)

    videos = {one["videoId"] for one in receipt["delivered"]}
    checks = [
        (len(receipt["delivered"]) == count, "it does not list as many videos as it counts"),
        (len(videos) == count, "it lists one twice"),
        (charged == count * price, "charged is not transcripts times price"),
        (charged + released == reserved, "charged and released are not what was reserved"),
        (total("reserve", "heldMicros") == reserved, "the ledger reserved another sum"),
        (-total("charge", "postedMicros") == charged, "the ledger charged another sum"),
        (-total("release", "heldMicros") == released, "the ledger released another sum"),
    ]
    return [problem for holds, problem in checks if not holds]


def _problems_of_entries(receipt: Mapping[str, Any]) -> List[str]:
    ledger = receipt["ledger"]
    entries = ledger["entries"]
    problems = []
    if not entries or entries[0]["previousHash"] != ledger["headBefore"]:
        problems.append("headBefore is not before its first entry")
    if not entries or entries[-1]["hash"] != ledger["headAfter"]:
        problems.append("headAfter is not after its last entry")
    names = ("kind", "postedMicros", "heldMicros", "reference", "reason", "createdAt")
    for at, entry in enumerate(entries):
        hashed = [entry["previousHash"], receipt["accountId"], *(entry[name] for name in names)]
        if _sha256(json.dumps(hashed, separators=(",", ":"), ensure_ascii=False)) != entry["hash"]:
            problems.append(f"entry {entry['number']} was changed")
        if entry["reference"] != f"{entry['kind']}:{receipt['jobId']}":
            problems.append(f"entry {entry['number']} is of another job")
        before = entries[at - 1] if at > 0 else None
        is_next = before is not None and int(entry["number"]) == int(before["number"]) + 1
        if is_next and before is not None and entry["previousHash"] != before["hash"]:
            problems.append(f"entry {entry['number']} follows another")
    return problems


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def _micros(usd: str) -> int:
    whole, _, decimals = usd.partition(".")
    return int(whole) * 1_000_000 + int(decimals.ljust(6, "0"))


# Ed25519 as in RFC 8032, section 6; only checking, which handles nothing secret.

_P = 2**255 - 19
_Q = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, _P - 2, _P) % _P
_ROOT = pow(2, (_P - 1) // 4, _P)
_Point = tuple[int, int, int, int]


def _add(a: "_Point", b: "_Point") -> "_Point":
    m, n = (a[1] - a[0]) * (b[1] - b[0]) % _P, (a[1] + a[0]) * (b[1] + b[0]) % _P
    c, d = 2 * a[3] * b[3] * _D % _P, 2 * a[2] * b[2] % _P
    e, f, g, h = n - m, d - c, d + c, n + m
    return e * f % _P, g * h % _P, f * g % _P, e * h % _P


def _times(scalar: int, point: "_Point") -> "_Point":
    result: "_Point" = (0, 1, 1, 0)
    while scalar > 0:
        if scalar & 1:
            result = _add(result, point)
        point = _add(point, point)
        scalar >>= 1
    return result


def _point_of(encoded: bytes) -> Optional["_Point"]:
    y = int.from_bytes(encoded, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    if y >= _P:
        return None
    squared = (y * y - 1) * pow(_D * y * y + 1, _P - 2, _P) % _P
    x = pow(squared, (_P + 3) // 8, _P)
    if (x * x - squared) % _P != 0:
        x = x * _ROOT % _P
    if (x * x - squared) % _P != 0 or (x == 0 and sign == 1):
        return None
    x = x if x & 1 == sign else _P - x
    return x, y, 1, x * y % _P


def _is_signed(public_key: bytes, message: bytes, signature: bytes) -> bool:
    if len(public_key) != 32 or len(signature) != 64:
        return False
    key, r = _point_of(public_key), _point_of(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if key is None or r is None or s >= _Q:
        return False
    base = _point_of((4 * pow(5, _P - 2, _P) % _P).to_bytes(32, "little"))
    assert base is not None
    digest = hashlib.sha512(signature[:32] + public_key + message).digest()
    h = int.from_bytes(digest, "little") % _Q
    left, right = _times(s, base), _add(r, _times(h, key))
    return (left[0] * right[2] - right[0] * left[2]) % _P == 0 and (
        left[1] * right[2] - right[1] * left[2]
    ) % _P == 0
