/** Types of the public API, written from its OpenAPI document by `npm run print`. */

export type ClientOptions = {
    baseUrl: string;
};

export type AskedEventType = 'job.finished' | 'job.cancelled' | 'job.failed' | 'job.interrupted' | 'subscription.found' | 'subscription.active' | 'subscription.paused' | 'subscription.out_of_money' | 'subscription.cap_reached' | 'subscription.gone';

export type Balance = {
    /**
     * USD as a plain decimal number with three to six decimals
     */
    balance: string;
    /**
     * Millionths of a dollar
     */
    balanceMicros: number;
    currency: 'USD';
    /**
     * USD as a plain decimal number with three to six decimals
     */
    pricePerTranscript: string;
    affordableTranscripts: number;
};

export type Batch = {
    /**
     * Batch id, as POST /batches returned it
     */
    id: string;
    /**
     * `stopped`: by you, or because its next job was refused, as `notice` says; it can be continued
     */
    state: 'running' | 'finished' | 'stopped';
    /**
     * What it is called: its name, or what it is about
     */
    title: string;
    name: string | null;
    createdAt: string;
    finishedAt: string | null;
    /**
     * How many lines were ordered
     */
    lines: number;
    /**
     * How many parts of 50 lines they make
     */
    parts: number;
    /**
     * The part in progress, from 1
     */
    part: number;
    /**
     * Most videos that all its jobs may process together
     */
    maxVideos: number;
    owned: 'skip' | 'again';
    /**
     * Present where a kind of track was asked for
     */
    track?: 'manual' | 'asr';
    progress: {
        /**
         * Videos that its jobs processed, whatever the result
         */
        processed: number;
        delivered: number;
        /**
         * Number of videos per status that its jobs processed; rows that take no place, such as `unchanged` and `truncated`, are left out, since one job after another lists the same videos
         */
        counts: {
            [key: string]: number;
        };
    };
    billing: {
        /**
         * What all its jobs can cost together, in USD
         */
        atMost: string;
        /**
         * By the running job
         */
        reserved: string;
        /**
         * USD as a plain decimal number with three to six decimals
         */
        charged: string;
    };
    /**
     * Why it waits or stopped, or what it left, in a sentence
     */
    notice: string | null;
    /**
     * Its jobs, in the order they were started
     */
    jobs: Array<{
        /**
         * The id that POST /jobs returned
         */
        id: string;
        state: JobState;
        delivered: number;
        /**
         * USD as a plain decimal number with three to six decimals
         */
        charged: string;
        /**
         * What it took, such as `Daily Notes, videos 1 to 500`; only where one batch is asked for
         */
        title?: string;
    }>;
    input: BatchInput;
    /**
     * How the lines were read
     */
    notices: Array<string>;
    /**
     * What became of each line, in the order given
     */
    sources: Array<BatchSource>;
};

export type BatchChange = {
    /**
     * Name of the batch; null or blank: what it is about
     */
    name?: string | null;
    /**
     * `stopped` also cancels its running job; `running` continues
     */
    state?: 'running' | 'stopped';
};

export type BatchInput = {
    /**
     * The lines, trimmed and without duplicates, in the order given
     */
    urls: Array<string>;
    language: string;
    formats: Array<Format>;
    publishedAfter: string | null;
    publishedBefore: string | null;
};

export type BatchList = {
    total: number;
    offset: number;
    limit: number;
    nextOffset: number | null;
    batches: Array<BatchSummary>;
};

export type BatchRequest = {
    /**
     * As for POST /jobs, but up to a thousand lines
     */
    urls: Array<string> | string;
    /**
     * `original` or a caption language code (en, es, pt-BR); falls back to the original language
     */
    language?: string;
    /**
     * The files to make; results always contain text and segments
     */
    formats?: Array<Format>;
    /**
     * Most videos that all jobs may process together: with the price, what the batch costs at most. Without it as many as there are lines, and at least 500 where a line is a list; lines that all name videos bring no more than they are.
     */
    maxVideos?: number;
    /**
     * Only videos published on or after this date: YYYY-MM-DD, a day by the platform’s clock as in `publishedAt`; or an ISO date-time, in UTC unless it names another offset
     */
    publishedAfter?: string;
    /**
     * Only videos published on or before this date: YYYY-MM-DD (its whole day) or an ISO date-time
     */
    publishedBefore?: string;
    /**
     * Name of the batch; null or blank: what it is about
     */
    name?: string | null;
};

export type BatchSource = {
    /**
     * The line, as in `input.urls`
     */
    line: string;
    /**
     * Null while no job has come to it
     */
    title: string | null;
    /**
     * `read`: all that it holds was taken, or was there before; `part`: the batch ended before that; `not_reached`: it ended before the line, of which `POST /previews` says what it holds and costs
     */
    state: 'waiting' | 'reading' | 'read' | 'part' | 'not_reached';
    /**
     * How many videos it holds; null while that is unknown
     */
    videos: number | null;
    /**
     * Videos of it that were asked for their captions
     */
    taken: number;
    delivered: number;
    /**
     * Videos of it that were never tried; null where that is unknown
     */
    left: number | null;
};

export type BatchSummary = {
    /**
     * Batch id, as POST /batches returned it
     */
    id: string;
    /**
     * `stopped`: by you, or because its next job was refused, as `notice` says; it can be continued
     */
    state: 'running' | 'finished' | 'stopped';
    /**
     * What it is called: its name, or what it is about
     */
    title: string;
    name: string | null;
    createdAt: string;
    finishedAt: string | null;
    /**
     * How many lines were ordered
     */
    lines: number;
    /**
     * How many parts of 50 lines they make
     */
    parts: number;
    /**
     * The part in progress, from 1
     */
    part: number;
    /**
     * Most videos that all its jobs may process together
     */
    maxVideos: number;
    owned: 'skip' | 'again';
    /**
     * Present where a kind of track was asked for
     */
    track?: 'manual' | 'asr';
    progress: {
        /**
         * Videos that its jobs processed, whatever the result
         */
        processed: number;
        delivered: number;
        /**
         * Number of videos per status that its jobs processed; rows that take no place, such as `unchanged` and `truncated`, are left out, since one job after another lists the same videos
         */
        counts: {
            [key: string]: number;
        };
    };
    billing: {
        /**
         * What all its jobs can cost together, in USD
         */
        atMost: string;
        /**
         * By the running job
         */
        reserved: string;
        /**
         * USD as a plain decimal number with three to six decimals
         */
        charged: string;
    };
    /**
     * Why it waits or stopped, or what it left, in a sentence
     */
    notice: string | null;
    /**
     * Its jobs, in the order they were started
     */
    jobs: Array<{
        /**
         * The id that POST /jobs returned
         */
        id: string;
        state: JobState;
        delivered: number;
        /**
         * USD as a plain decimal number with three to six decimals
         */
        charged: string;
        /**
         * What it took, such as `Daily Notes, videos 1 to 500`; only where one batch is asked for
         */
        title?: string;
    }>;
};

export type Chapter = {
    startMs: number;
    title: string;
};

export type Collection = {
    /**
     * The platform's own id of the channel (`UC…`) or playlist (`PL…`)
     */
    id: string;
    kind: 'channel' | 'playlist' | 'project';
    /**
     * The channel's name, or the playlist's title
     */
    title: string | null;
    channelId: string | null;
    playlistId: string | null;
    /**
     * Number of its videos, as far as known
     */
    known: number;
    /**
     * Videos whose transcript the account has
     */
    delivered: number;
    /**
     * Videos without captions
     */
    noCaptions: number;
    /**
     * Videos that were attempted and failed otherwise
     */
    failed: number;
    /**
     * Videos never attempted; null where the total is unknown
     */
    remaining: number | null;
    /**
     * Publish date of the newest video that was attempted
     */
    newestAt: string | null;
    oldestAt: string | null;
    /**
     * When its list was last read
     */
    lastLookedAt: string | null;
    /**
     * What its transcripts cost; a video of several collections counts in each
     */
    charged: string;
    /**
     * Languages of the delivered transcripts
     */
    languages: Array<string>;
    /**
     * The platform's still of its newest video; only with `view=pictures`, and null where no video is known
     */
    pictureUrl?: string | null;
};

export type CollectionDetail = {
    /**
     * The platform's own id of the channel (`UC…`) or playlist (`PL…`)
     */
    id: string;
    kind: 'channel' | 'playlist' | 'project';
    /**
     * The channel's name, or the playlist's title
     */
    title: string | null;
    channelId: string | null;
    playlistId: string | null;
    /**
     * Number of its videos, as far as known
     */
    known: number;
    /**
     * Videos whose transcript the account has
     */
    delivered: number;
    /**
     * Videos without captions
     */
    noCaptions: number;
    /**
     * Videos that were attempted and failed otherwise
     */
    failed: number;
    /**
     * Videos never attempted; null where the total is unknown
     */
    remaining: number | null;
    /**
     * Publish date of the newest video that was attempted
     */
    newestAt: string | null;
    oldestAt: string | null;
    /**
     * When its list was last read
     */
    lastLookedAt: string | null;
    /**
     * What its transcripts cost; a video of several collections counts in each
     */
    charged: string;
    /**
     * Languages of the delivered transcripts
     */
    languages: Array<string>;
    /**
     * Videos by status: why there is no transcript
     */
    counts: {
        [key: string]: number;
    };
    /**
     * What to send to POST /jobs to fetch the rest without paying twice; null where no list was read
     */
    goesOn: {
        urls: Array<string>;
        /**
         * The one URL that continues this collection alone; `owned=skip` leaves out what others of `urls` brought
         */
        line: string;
        language: string;
        formats: Array<'text' | 'srt' | 'vtt' | 'segments'>;
        videos: number | null;
        costAtMost: string | null;
    } | null;
};

export type CollectionList = {
    total: number;
    offset: number;
    limit: number;
    nextOffset: number | null;
    collections: Array<Collection>;
};

export type DeliveryAttempt = {
    number: number;
    at: string;
    durationMs: number;
    url: string;
    outcome: 'delivered' | 'gone' | 'refused' | 'unreachable' | 'forbidden' | 'timed_out';
    status: number | null;
    /**
     * Why there was no reply
     */
    error: string | null;
    /**
     * The first 1024 characters of the reply
     */
    reply: string | null;
};

export type DeliveryList = {
    total: number;
    offset: number;
    limit: number;
    nextOffset: number | null;
    deliveries: Array<WebhookDelivery>;
};

export type Downloads = {
    zip: string;
    allText: string;
    reportCsv: string;
};

export type Error = {
    error: {
        /**
         * Stable between releases
         */
        code: 'invalid_request' | 'invalid_url' | 'unauthorized' | 'insufficient_balance' | 'not_found' | 'idempotency_conflict' | 'job_in_progress' | 'rate_limited' | 'internal_error' | 'server_busy';
        /**
         * For people to read; may change between releases
         */
        message: string;
        /**
         * Only with job_in_progress: the job to poll instead
         */
        jobId?: string;
    };
};

export type Format = 'text' | 'srt' | 'vtt' | 'segments';

export type Job = {
    /**
     * The id that POST /jobs returned
     */
    id: string;
    state: JobState;
    createdAt: string;
    finishedAt: string | null;
    input: JobInput;
    progress: JobProgress;
    billing: JobBilling;
    error: string | null;
    /**
     * Only in the answer to POST /jobs
     */
    notices?: Array<string>;
    links: {
        self: string;
        results: string;
    };
    /**
     * Name of the job, or what it is about; only with `view=named` and in the answer of PATCH
     */
    title?: string;
    /**
     * The name you gave it; only with `view=named` and in the answer of PATCH
     */
    name?: string | null;
    /**
     * Your note about it; only with `view=named` and in the answer of PATCH
     */
    note?: string | null;
    /**
     * The kind of track that was asked for, if any; only with `view=named` and in the answer of PATCH
     */
    track?: 'manual' | 'asr';
    /**
     * The batch that it is a job of, if any; only with `view=named` and in the answer of PATCH
     */
    batch?: {
        id: string;
        /**
         * What the batch is called
         */
        title: string;
        /**
         * The job's number in it, from 1
         */
        number: number;
    };
    /**
     * How many of its texts are deleted, if any; only with `view=named` and in the answer of PATCH
     */
    deletedTexts?: number;
};

export type JobBilling = {
    /**
     * USD as a plain decimal number with three to six decimals
     */
    reserved: string;
    /**
     * True if and only if the state is final
     */
    settled: boolean;
    charged: string | null;
    chargedTranscripts: number | null;
    /**
     * USD as a plain decimal number with three to six decimals
     */
    pricePerTranscript: string;
};

export type JobInput = {
    /**
     * The lines, trimmed and without duplicates, in the order given
     */
    urls: Array<string>;
    language: string;
    formats: Array<Format>;
    /**
     * Videos the job may process after the balance cap
     */
    maxVideos: number;
    /**
     * The value asked for
     */
    requestedMaxVideos: number;
    publishedAfter: string | null;
    publishedBefore: string | null;
};

export type JobList = {
    total: number;
    offset: number;
    limit: number;
    nextOffset: number | null;
    jobs: Array<Job>;
};

export type JobPatch = {
    /**
     * Name of the job; null or blank: what it is about
     */
    name?: string | null;
    /**
     * Your note about the job; null or blank removes it
     */
    note?: string | null;
};

export type JobProgress = {
    discovered: number | null;
    /**
     * Videos with a result of any status
     */
    processed: number;
    /**
     * Videos with a transcript
     */
    delivered: number;
    /**
     * Number of videos per status
     */
    counts: {
        [key: string]: number;
    };
};

export type JobRequest = {
    /**
     * Video, Shorts, playlist or channel URLs, or video ids; a string may hold several, one per line or side by side, or a document whose addresses are taken (JSON, HTML, CSV)
     */
    urls: Array<string> | string;
    /**
     * `original` or a caption language code (en, es, pt-BR); falls back to the original language
     */
    language?: string;
    /**
     * The files to make; results always contain text and segments
     */
    formats?: Array<Format>;
    /**
     * Most videos to process (newest first for channels); the balance may lower it
     */
    maxVideos?: number;
    /**
     * Only videos published on or after this date: YYYY-MM-DD, a day by the platform’s clock as in `publishedAt`; or an ISO date-time, in UTC unless it names another offset
     */
    publishedAfter?: string;
    /**
     * Only videos published on or before this date: YYYY-MM-DD (its whole day) or an ISO date-time
     */
    publishedBefore?: string;
};

/**
 * queued, running and cancelling jobs are open; the others are final and billed
 */
export type JobState = 'queued' | 'running' | 'cancelling' | 'finished' | 'cancelled' | 'failed' | 'interrupted';

export type JobVideo = {
    /**
     * The id that POST /jobs returned
     */
    jobId: string;
    index: number;
    videoId: string | null;
    title: string | null;
    url: string | null;
    channelName: string | null;
    publishedAt: string | null;
    /**
     * Status as in the results of a job; null where its captions were never requested
     */
    status: string | null;
    label: string | null;
    errorMessage: string | null;
    languageCode: string | null;
    trackKind: string | null;
    channelId: string | null;
    durationSeconds: number | null;
    viewCount: number | null;
    keywords: Array<string> | null;
    description: string | null;
    category: string | null;
    /**
     * From the lines of the description; empty where it names none
     */
    chapters: Array<Chapter> | null;
    /**
     * Every caption track that the video has; null where none was listed
     */
    tracks: Array<Track> | null;
    /**
     * The reply of the platform from which its text was read; null where it is not known, as for texts of earlier releases
     */
    source: Source | null;
    /**
     * Whether words.json and words.vtt of this row exist
     */
    hasWordTimes: boolean;
    /**
     * The row that holds its text: of a video that was delivered before, one of another job; null where no text is kept
     */
    text: RowOfText | null;
};

export type JobWebhookEvent = {
    type: 'job.finished' | 'job.cancelled' | 'job.failed' | 'job.interrupted' | 'webhook.test';
    /**
     * When the job became final
     */
    timestamp: string;
    data: Job;
};

export type LibraryVideo = {
    /**
     * The id that POST /jobs returned
     */
    jobId: string;
    index: number;
    videoId: string | null;
    title: string | null;
    url: string | null;
    channelName: string | null;
    publishedAt: string | null;
    /**
     * Status as in the results of a job; null where its captions were never requested
     */
    status: string | null;
    label: string | null;
    errorMessage: string | null;
    languageCode: string | null;
    trackKind: string | null;
    channelId: string | null;
    durationSeconds: number | null;
    viewCount: number | null;
    keywords: Array<string> | null;
    description: string | null;
    category: string | null;
    /**
     * From the lines of the description; empty where it names none
     */
    chapters: Array<Chapter> | null;
};

export type LibraryVideoList = {
    total: number;
    offset: number;
    limit: number;
    nextOffset: number | null;
    videos: Array<LibraryVideo>;
};

export type Mention = {
    /**
     * The id that POST /jobs returned
     */
    jobId: string;
    /**
     * Index of the video in the job that delivered it
     */
    index: number;
    videoId: string;
    title: string | null;
    channelName: string | null;
    channelId: string | null;
    publishedAt: string | null;
    languageCode: string;
    /**
     * When it is said
     */
    startMs: number;
    /**
     * What is said in the ten seconds around it
     */
    text: string;
    /**
     * What is said in the ten seconds around it, in pieces: those that match are marked
     */
    snippet: Array<{
        text: string;
        isMatch: boolean;
    }>;
    /**
     * The video, from that second on
     */
    url: string;
};

export type Mentions = {
    /**
     * Transcripts that were searched
     */
    indexed: number;
    /**
     * Transcripts delivered to the account; above `indexed` while more are added
     */
    owned: number;
    /**
     * Transcripts in which it is said
     */
    transcripts: number;
    total: number;
    offset: number;
    limit: number;
    nextOffset: number | null;
    mentions: Array<Mention>;
    /**
     * Mentions of each video, most first; at most 50 videos
     */
    videos: Array<{
        /**
         * The id that POST /jobs returned
         */
        jobId: string;
        index: number;
        videoId: string;
        title: string | null;
        channelName: string | null;
        mentions: number;
    }>;
    /**
     * Mentions of each channel, most first; at most 50 channels
     */
    channels: Array<{
        channelName: string | null;
        channelId: string | null;
        transcripts: number;
        mentions: number;
    }>;
    /**
     * Mentions of each month of publication, in order; null: of unknown date
     */
    months: Array<{
        month: string | null;
        transcripts: number;
        mentions: number;
    }>;
};

export type Preview = {
    /**
     * Preview id, as POST /previews returned it
     */
    id: string;
    /**
     * While `listing`, sources are filled in as they are read, for a minute at most
     */
    state: 'listing' | 'ready';
    createdAt: string;
    /**
     * It is deleted after this
     */
    expiresAt: string;
    input: JobInput;
    /**
     * One for each line, in the order given
     */
    sources: Array<PreviewSource>;
    /**
     * Videos that a job started now would try
     */
    wouldTake: number;
    /**
     * Videos of all lines, each counted once, that a job started now would return as `unchanged`, free, since the account has them
     */
    unchanged: number;
    /**
     * USD as a plain decimal number with three to six decimals
     */
    costAtMost: string;
    /**
     * USD as a plain decimal number with three to six decimals
     */
    costExpected: string;
    /**
     * The part of `costAtMost` for videos that the account already owns from other orders; 0 with `owned=skip`, which leaves them out
     */
    costAgain: string;
    notices: Array<string>;
};

export type PreviewRequest = {
    /**
     * Video, Shorts, playlist or channel URLs, or video ids; a string may hold several, one per line or side by side, or a document whose addresses are taken (JSON, HTML, CSV)
     */
    urls: Array<string> | string;
    /**
     * `original` or a caption language code (en, es, pt-BR); falls back to the original language
     */
    language?: string;
    /**
     * The files to make; results always contain text and segments
     */
    formats?: Array<Format>;
    /**
     * Most videos to process; more than 500 are of a batch. The balance may lower it
     */
    maxVideos?: number;
    /**
     * Only videos published on or after this date: YYYY-MM-DD, a day by the platform’s clock as in `publishedAt`; or an ISO date-time, in UTC unless it names another offset
     */
    publishedAfter?: string;
    /**
     * Only videos published on or before this date: YYYY-MM-DD (its whole day) or an ISO date-time
     */
    publishedBefore?: string;
};

export type PreviewSource = {
    /**
     * The line, as in `input.urls`
     */
    line: string;
    kind: 'video' | 'playlist' | 'channel';
    title: string | null;
    channelName: string | null;
    /**
     * A still of the video, or of the first video in the list
     */
    pictureUrl: string | null;
    /**
     * How many videos the list holds, as the platform says; null while it is unknown
     */
    videos: number | null;
    /**
     * All of the list that a job would read now was read; otherwise the rest is estimated, or the platform shows only a part of it, as `error` says
     */
    isComplete: boolean;
    /**
     * Date of the newest listed video, as far as the list tells
     */
    newestAt: string | null;
    oldestAt: string | null;
    /**
     * Listed videos that an earlier job with exactly these URLs delivered: free
     */
    delivered: number;
    /**
     * Videos of this line that the account already owns from any order, in the requested language; beyond what was read of a list, as far as the library knows
     */
    owned: number;
    /**
     * The latest other order that brought some of them, where one did
     */
    ownedFrom?: {
        jobId: string;
        since: string;
    };
    /**
     * Of a video that you do not own: the last try by any of your orders, as its row says. A job that takes the line tries it again
     */
    tried?: {
        status: 'no_captions' | 'language_not_available' | 'private' | 'unavailable' | 'blocked_suspect' | 'failed';
        label: string;
        at: string;
    };
    /**
     * Listed videos for which an earlier job with these URLs got a definite no
     */
    knownNegative: number;
    /**
     * Videos of this line that a job started now would try
     */
    wouldTake: number;
    /**
     * Why the line could not be read, or not further. Never set for a list that is merely empty
     */
    error: string | null;
};

export type Project = {
    /**
     * Project id, as POST /projects returned it
     */
    id: string;
    name: string;
    note: string | null;
    tags: Array<string>;
    /**
     * Transcripts in it; a video in two languages counts twice
     */
    videos: number;
    createdAt: string;
    changedAt: string;
};

export type ProjectChange = {
    /**
     * Name of the project
     */
    name?: string;
    /**
     * Anything worth knowing about it; null or a blank text: nothing
     */
    note?: string | null;
    /**
     * Words to sort projects by; blank ones and repeats are left out
     */
    tags?: Array<string>;
};

export type ProjectList = {
    total: number;
    offset: number;
    limit: number;
    nextOffset: number | null;
    projects: Array<Project>;
};

export type ProjectRequest = {
    /**
     * Name of the project
     */
    name: string;
    /**
     * Anything worth knowing about it; null or a blank text: nothing
     */
    note?: string | null;
    /**
     * Words to sort projects by; blank ones and repeats are left out
     */
    tags?: Array<string>;
};

export type ProjectVideos = {
    /**
     * Delivered videos, each by its job and its index there
     */
    videos?: Array<{
        /**
         * The id that POST /jobs returned
         */
        jobId: string;
        index: number;
    }>;
    /**
     * Instead: everything this job has delivered, with the texts behind its `unchanged` rows
     */
    job?: string;
    /**
     * Instead: everything the jobs of this batch have delivered, as for a job
     */
    batch?: string;
    /**
     * Instead: all transcripts of this channel, playlist or project
     */
    collection?: string;
    /**
     * Instead: all that these jobs have, each transcript once; with the other lists and `videos`, at most 100 in all
     */
    jobs?: Array<string>;
    /**
     * Instead: all that these batches have, each transcript once; with the other lists and `videos`, at most 100 in all
     */
    batches?: Array<string>;
    /**
     * Instead: all that these channels, playlists and projects have, each transcript once; with the other lists and `videos`, at most 100 in all
     */
    collections?: Array<string>;
    /**
     * Of the collection, only videos whose title contains this text, ignoring case
     */
    q?: string;
    /**
     * Of the collection, only transcripts in this language
     */
    language?: string;
};

export type ProjectVideosAdded = {
    /**
     * Transcripts added to the project
     */
    added: number;
    /**
     * Transcripts that were already in it
     */
    present: number;
    /**
     * Rows that could not be added
     */
    refusals: number;
    /**
     * Which, and why; at most 500
     */
    refused: Array<{
        /**
         * The id that POST /jobs returned
         */
        jobId: string;
        index: number;
        reason: string;
    }>;
};

export type Receipt = {
    type: 'scriptorium-receipt-1';
    /**
     * Address of the service; its keys are at /.well-known/scriptorium-keys.json there
     */
    issuer: string;
    /**
     * The id that POST /jobs returned
     */
    jobId: string;
    accountId: string;
    state: 'finished' | 'cancelled' | 'failed' | 'interrupted';
    createdAt: string;
    finishedAt: string;
    urlSetSha256: string;
    delivered: Array<{
        index: number;
        videoId: string;
        textSha256: string;
    }>;
    currency: 'USD';
    transcripts: number;
    /**
     * USD as a plain decimal number with three to six decimals
     */
    pricePerTranscript: string;
    /**
     * USD as a plain decimal number with three to six decimals
     */
    reserved: string;
    /**
     * USD as a plain decimal number with three to six decimals
     */
    charged: string;
    /**
     * USD as a plain decimal number with three to six decimals
     */
    released: string;
    ledger: {
        headBefore: string;
        headAfter: string;
        entries: Array<{
            number: string;
            kind: 'top_up' | 'adjust' | 'reserve' | 'charge' | 'release';
            /**
             * Whole millionths of a USD
             */
            postedMicros: string;
            /**
             * Whole millionths of a USD
             */
            heldMicros: string;
            reference: string;
            reason: string | null;
            createdAt: string;
            previousHash: string;
            hash: string;
        }>;
    };
    signature: {
        algorithm: 'Ed25519';
        keyId: string;
        /**
         * In base64, over everything else as canonical JSON: names sorted, no white space
         */
        value: string;
    };
};

export type Results = {
    /**
     * The id that POST /jobs returned
     */
    id: string;
    state: JobState;
    /**
     * False while the job is still running
     */
    complete: boolean;
    total: number;
    offset: number;
    limit: number;
    nextOffset: number | null;
    videos: Array<Video>;
    downloads: Downloads;
};

export type RowOfText = {
    /**
     * The id that POST /jobs returned
     */
    jobId: string;
    index: number;
};

export type SearchHit = {
    /**
     * The id that POST /jobs returned
     */
    jobId: string;
    /**
     * Index of the video in the job that delivered it
     */
    index: number;
    videoId: string;
    title: string | null;
    channelName: string | null;
    channelId: string | null;
    publishedAt: string | null;
    languageCode: string;
    /**
     * When the first marked words are said
     */
    startMs: number;
    /**
     * What is said in the ten seconds around it, in pieces: those that match are marked
     */
    snippet: Array<{
        text: string;
        isMatch: boolean;
    }>;
    /**
     * How often the words are said in this transcript
     */
    mentions: number;
    /**
     * The video, from that second on
     */
    url: string;
};

export type SearchResults = {
    /**
     * Transcripts that were searched
     */
    indexed: number;
    /**
     * Transcripts delivered to the account; above `indexed` while more are added
     */
    owned: number;
    total: number;
    offset: number;
    limit: number;
    nextOffset: number | null;
    hits: Array<SearchHit>;
    /**
     * Hits of each channel, most first; at most 50 channels
     */
    channels: Array<{
        channelName: string | null;
        channelId: string | null;
        count: number;
    }>;
    /**
     * Hits of each month of publication, in order; null: of unknown date, first
     */
    months: Array<{
        month: string | null;
        count: number;
    }>;
};

export type Segment = {
    startMs: number;
    endMs: number;
    text: string;
};

export type Source = {
    /**
     * SHA-256 of the reply’s content, in hex
     */
    sha256: string;
    /**
     * The platform’s name of its format
     */
    format: string;
    /**
     * Length of the content, after any Content-Encoding
     */
    sizeBytes: number;
    /**
     * The app of the platform as which it was asked for
     */
    client: string;
    fetchedAt: string;
    /**
     * The header Last-Modified of the reply
     */
    lastModified: string | null;
    /**
     * The header ETag of the reply
     */
    etag: string | null;
};

export type Subscription = {
    /**
     * Subscription id, as POST /subscriptions returned it
     */
    id: string;
    /**
     * The line as it was sent: the URL set of every job
     */
    url: string;
    /**
     * Name of the channel, once a check has found it
     */
    title: string | null;
    /**
     * `paused`: you asked; `out_of_money`: the balance covers none of the new videos; `cap_reached`: they wait for the next month; `gone`: the platform no longer has the list
     */
    state: 'active' | 'paused' | 'out_of_money' | 'cap_reached' | 'gone';
    createdAt: string;
    /**
     * The last check that the platform answered
     */
    lastLookedAt: string | null;
    /**
     * Null where there is none: paused or gone
     */
    nextLookAt: string | null;
    /**
     * Present and true where the platform has only ever said that there is no such list
     */
    neverFound?: boolean;
    /**
     * USD as a plain decimal number with three to six decimals
     */
    monthlyCap: string;
    /**
     * How often it is checked; without it hourly to daily, depending on how often the source publishes
     */
    everyHours?: number;
    /**
     * Present where what other orders delivered is bought again
     */
    owned?: 'again';
    /**
     * Charges of the jobs started this month (UTC), and reserves of those that are open
     */
    spentThisMonth: string;
    /**
     * The latest jobs it started, newest first, at most 10
     */
    jobs: Array<string>;
    /**
     * What its owner should know, in a sentence
     */
    notice: string | null;
};

export type SubscriptionChange = {
    /**
     * The most that new videos may cost in a calendar month (UTC), in USD; at least the price of one transcript
     */
    monthlyCap?: string;
    /**
     * Null: as often as the source publishes
     */
    everyHours?: number | null;
    state?: 'active' | 'paused';
};

export type SubscriptionList = {
    total: number;
    offset: number;
    limit: number;
    nextOffset: number | null;
    subscriptions: Array<Subscription>;
};

export type SubscriptionRequest = {
    /**
     * One channel or playlist, spelled as for POST /jobs
     */
    url: string;
    /**
     * The most that new videos may cost in a calendar month (UTC), in USD; at least the price of one transcript
     */
    monthlyCap: string;
    /**
     * `original` or a caption language code (en, es, pt-BR); falls back to the original language
     */
    language?: string;
    /**
     * The files to make; results always contain text and segments
     */
    formats?: Array<Format>;
    /**
     * How many of the latest videos to buy as well; 0: only new ones
     */
    backlog?: number;
    /**
     * How often it is checked; without it hourly to daily, depending on how often the source publishes
     */
    everyHours?: number;
    /**
     * What to do with videos that the account already owns from other orders: `skip` leaves them out, `again` buys them again
     */
    owned?: 'skip' | 'again';
    /**
     * Only videos of the backlog published on or after this date; as for POST /jobs
     */
    publishedAfter?: string;
};

export type SubscriptionWebhookEvent = {
    type: 'subscription.found' | 'subscription.active' | 'subscription.paused' | 'subscription.out_of_money' | 'subscription.cap_reached' | 'subscription.gone';
    /**
     * When it happened
     */
    timestamp: string;
    data: Subscription;
};

export type TextDeletion = {
    /**
     * Videos whose texts go
     */
    videos: number;
    /**
     * Rows that lose their text
     */
    texts: number;
    /**
     * Bytes that the texts take
     */
    bytes: number;
    /**
     * Texts of the same videos that stay: in another language, or of the other kind
     */
    otherTexts: number;
    /**
     * Jobs that lose texts
     */
    jobs: number;
    /**
     * Those among `jobs` that were not named, and brought the same texts
     */
    otherJobs: number;
    projects: Array<{
        id: string;
        name: string;
        /**
         * Texts that it loses
         */
        texts: number;
    }>;
};

export type Track = {
    /**
     * As the platform spells it
     */
    languageCode: string;
    /**
     * `manual`: made by the creator; `asr`: automatic
     */
    kind: 'manual' | 'asr';
    name: string | null;
    /**
     * Whether players of the platform show it by default
     */
    isDefault: boolean;
    /**
     * Whether the platform would translate it by machine
     */
    isTranslatable: boolean;
};

export type Video = {
    /**
     * Position of the video; used in file names
     */
    index: number;
    videoId: string | null;
    title: string | null;
    url: string | null;
    channelName: string | null;
    publishedAt: string | null;
    /**
     * `success` is charged; no_captions, language_not_available, private, unavailable, blocked_suspect, failed, invalid_url, truncated, skipped, unchanged are free
     */
    status: string;
    /**
     * The status in plain words
     */
    label: string;
    errorMessage: string | null;
    languageCode: string | null;
    trackKind: 'manual' | 'asr' | null;
    text: string | null;
    segments: Array<Segment> | null;
    /**
     * The row that holds the text: of `unchanged` videos one of another job, and null where no text is kept; only with `include=textRow`
     */
    textRow?: RowOfText | null;
    /**
     * The row of another order that holds the text of an `unchanged` video; null for other rows, and where no text is kept; only with `view=located`
     */
    owned?: RowOfText | null;
    /**
     * Download links by format, for delivered videos
     */
    files: {
        [key: string]: string;
    };
};

export type Webhook = {
    /**
     * Webhook id, as POST /webhooks returned it
     */
    id: string;
    url: string;
    events: Array<AskedEventType>;
    state: 'active' | 'disabled';
    createdAt: string;
    /**
     * Null while it is active. `gone`: the receiver answered 410; `failing`: nothing succeeded for five days
     */
    disabledBecause: 'asked' | 'gone' | 'failing' | 'secret_lost' | null;
    /**
     * The first failure after the last success
     */
    failingSince: string | null;
    /**
     * After a rotation: until when the previous secret signs, too
     */
    oldSecretUntil: string | null;
};

export type WebhookChange = {
    /**
     * Absolute http or https URL of the receiver, at a public address
     */
    url?: string;
    /**
     * Which events it is sent; without it, every job that becomes final
     */
    events?: Array<AskedEventType>;
    state?: 'active' | 'disabled';
};

export type WebhookDelivery = {
    /**
     * Delivery id, the header `webhook-id` of what was sent; `-e1` and so on at its end: made after a failover that lost rows, so that a job may be told again
     */
    id: string;
    type: WebhookEventType;
    state: 'pending' | 'delivered' | 'failed';
    /**
     * Null of a subscription, and for a test
     */
    jobId: string | null;
    createdAt: string;
    /**
     * Null where none is due, or one is in progress
     */
    nextAttemptAt: string | null;
    /**
     * The latest ones, in order
     */
    attempts: Array<DeliveryAttempt>;
    payload: WebhookEvent;
};

/**
 * `data` is the job, or the subscription as it was then: `type` tells which
 */
export type WebhookEvent = JobWebhookEvent | SubscriptionWebhookEvent;

export type WebhookEventType = 'job.finished' | 'job.cancelled' | 'job.failed' | 'job.interrupted' | 'subscription.found' | 'subscription.active' | 'subscription.paused' | 'subscription.out_of_money' | 'subscription.cap_reached' | 'subscription.gone' | 'webhook.test';

export type WebhookList = {
    total: number;
    offset: number;
    limit: number;
    nextOffset: number | null;
    webhooks: Array<Webhook>;
};

export type WebhookReplay = {
    /**
     * ISO date-time: jobs that became final from then on, as far back as 30 days
     */
    since: string;
};

export type WebhookReplayed = {
    /**
     * Deliveries that are due again
     */
    replayed: number;
    /**
     * Where to continue, if there are more than one request replays
     */
    nextSince: string | null;
};

export type WebhookRequest = {
    /**
     * Absolute http or https URL of the receiver, at a public address
     */
    url: string;
    /**
     * Which events it is sent; without it, every job that becomes final
     */
    events?: Array<AskedEventType>;
};

export type WebhookWithSecret = {
    /**
     * Webhook id, as POST /webhooks returned it
     */
    id: string;
    url: string;
    events: Array<AskedEventType>;
    state: 'active' | 'disabled';
    createdAt: string;
    /**
     * Null while it is active. `gone`: the receiver answered 410; `failing`: nothing succeeded for five days
     */
    disabledBecause: 'asked' | 'gone' | 'failing' | 'secret_lost' | null;
    /**
     * The first failure after the last success
     */
    failingSince: string | null;
    /**
     * After a rotation: until when the previous secret signs, too
     */
    oldSecretUntil: string | null;
    /**
     * Verifies deliveries (Standard Webhooks); shown only now
     */
    secret: string;
};

export type Words = {
    words: Array<{
        startMs: number;
        /**
         * When the next word of its segment begins, or the segment ends
         */
        endMs: number;
        /**
         * The word, with the blank before it: joined, the words of a segment are its text
         */
        text: string;
        /**
         * How sure the speech recognition is; null where the platform does not say
         */
        confidence: number | null;
    }>;
};

export type GetResultsData = {
    body?: never;
    path: {
        /**
         * The id that POST /jobs returned
         */
        id: string;
    };
    query?: {
        /**
         * How many items to skip
         */
        offset?: number;
        /**
         * Page length
         */
        limit?: number;
        /**
         * `rows` leaves text and segments null; `located` adds `owned` to each row: where its text is, of another order
         */
        view?: 'full' | 'rows' | 'located';
        /**
         * `textRow`: each row also says which one holds its text
         */
        include?: 'textRow';
        /**
         * Only rows with this status, or with one of several separated by commas; `total` counts them
         */
        status?: string;
        /**
         * Only rows whose title contains this text, ignoring case; `total` counts them
         */
        q?: string;
    };
    url: '/jobs/{id}/results';
};

export type GetResultsErrors = {
    /**
     * The request is malformed.
     */
    400: Error;
    /**
     * This API key is not known here, or it was revoked; check it, or create another one on the account page.
     */
    401: Error;
    /**
     * Your account has nothing at this address; check the id.
     */
    404: Error;
    /**
     * Too many requests with this key; wait the number of seconds in Retry-After.
     */
    429: Error;
    /**
     * The request line and headers are larger than 16 KB.
     */
    431: Error;
    /**
     * Something went wrong on our side; try again later.
     */
    500: Error;
    /**
     * The server is running as many jobs as it can; try again after Retry-After seconds.
     */
    503: Error;
};

export type GetResultsError = GetResultsErrors[keyof GetResultsErrors];

export type GetResultsResponses = {
    /**
     * A page of rows, including those without a transcript
     */
    200: Results;
};

export type GetResultsResponse = GetResultsResponses[keyof GetResultsResponses];

export type ListCollectionsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * How many items to skip
         */
        offset?: number;
        /**
         * Page length
         */
        limit?: number;
        /**
         * Only those whose name contains this text, ignoring case
         */
        q?: string;
        /**
         * Only channels, or playlists
         */
        kind?: 'channel' | 'playlist' | 'project';
        /**
         * `changed`, the default: what changed last first; by `title`; most transcripts (`delivered`) or most videos to fetch (`remaining`) first
         */
        sort?: 'changed' | 'title' | 'delivered' | 'remaining';
        /**
         * `pictures`: each with `pictureUrl`, the address of a still on the platform
         */
        view?: 'plain' | 'pictures';
        /**
         * Only those that the lines of this job belong to; filters and order do not apply
         */
        job?: string;
    };
    url: '/library';
};

export type ListCollectionsErrors = {
    /**
     * The request is malformed.
     */
    400: Error;
    /**
     * This API key is not known here, or it was revoked; check it, or create another one on the account page.
     */
    401: Error;
    /**
     * Too many requests with this key; wait the number of seconds in Retry-After.
     */
    429: Error;
    /**
     * The request line and headers are larger than 16 KB.
     */
    431: Error;
    /**
     * Something went wrong on our side; try again later.
     */
    500: Error;
    /**
     * The server is running as many jobs as it can; try again after Retry-After seconds.
     */
    503: Error;
};

export type ListCollectionsError = ListCollectionsErrors[keyof ListCollectionsErrors];

export type ListCollectionsResponses = {
    /**
     * A page of collections
     */
    200: CollectionList;
};

export type ListCollectionsResponse = ListCollectionsResponses[keyof ListCollectionsResponses];

export type ListLibraryVideosData = {
    body?: never;
    path: {
        /**
         * The platform's own id of the channel (`UC…`) or playlist (`PL…`)
         */
        id: string;
    };
    query?: {
        /**
         * How many items to skip
         */
        offset?: number;
        /**
         * Page length
         */
        limit?: number;
        /**
         * Only these, separated by commas; `none`: never requested
         */
        status?: string;
        /**
         * Only videos whose title contains this text, ignoring case
         */
        q?: string;
        /**
         * Only transcripts in this language
         */
        language?: string;
    };
    url: '/library/{id}/videos';
};

export type ListLibraryVideosErrors = {
    /**
     * The request is malformed.
     */
    400: Error;
    /**
     * This API key is not known here, or it was revoked; check it, or create another one on the account page.
     */
    401: Error;
    /**
     * Your account has nothing at this address; check the id.
     */
    404: Error;
    /**
     * Too many requests with this key; wait the number of seconds in Retry-After.
     */
    429: Error;
    /**
     * The request line and headers are larger than 16 KB.
     */
    431: Error;
    /**
     * Something went wrong on our side; try again later.
     */
    500: Error;
    /**
     * The server is running as many jobs as it can; try again after Retry-After seconds.
     */
    503: Error;
};

export type ListLibraryVideosError = ListLibraryVideosErrors[keyof ListLibraryVideosErrors];

export type ListLibraryVideosResponses = {
    /**
     * A page of videos
     */
    200: LibraryVideoList;
};

export type ListLibraryVideosResponse = ListLibraryVideosResponses[keyof ListLibraryVideosResponses];

export type SearchData = {
    body?: never;
    path?: never;
    query: {
        /**
         * Words, "phrases", beginnings*, -exclusions, OR and parentheses; accents and case do not matter
         */
        q: string;
        /**
         * Only this channel: its id on the platform (`UC…`), or its name as hits have it; or only a project, by its id (`prj_…`)
         */
        channel?: string;
        /**
         * Only transcripts in this language; `pt` includes `pt-BR`
         */
        language?: string;
        /**
         * Only videos published then or later: YYYY-MM-DD or an ISO date-time
         */
        after?: string;
        /**
         * Only videos published then or before: YYYY-MM-DD (its whole day) or an ISO date-time
         */
        before?: string;
        /**
         * Order of the hits: by relevance (BM25) or by publish date; of equal hits, the newest comes first
         */
        sort?: 'relevance' | 'newest';
        /**
         * How many hits to skip
         */
        offset?: number;
        /**
         * Page length
         */
        limit?: number;
    };
    url: '/search';
};

export type SearchErrors = {
    /**
     * The request is malformed.
     */
    400: Error;
    /**
     * This API key is not known here, or it was revoked; check it, or create another one on the account page.
     */
    401: Error;
    /**
     * Too many requests with this key; wait the number of seconds in Retry-After.
     */
    429: Error;
    /**
     * The request line and headers are larger than 16 KB.
     */
    431: Error;
    /**
     * Something went wrong on our side; try again later.
     */
    500: Error;
    /**
     * The server is running as many jobs as it can; try again after Retry-After seconds.
     */
    503: Error;
};

export type SearchError = SearchErrors[keyof SearchErrors];

export type SearchResponses = {
    /**
     * A page of hits, with all hits counted by channel and month
     */
    200: SearchResults;
};

export type SearchResponse = SearchResponses[keyof SearchResponses];

export type ListMentionsData = {
    body?: never;
    path?: never;
    query: {
        /**
         * Words, "phrases", beginnings*, -exclusions, OR and parentheses; accents and case do not matter
         */
        q: string;
        /**
         * Only this channel: its id on the platform (`UC…`), or its name as hits have it; or only a project, by its id (`prj_…`)
         */
        channel?: string;
        /**
         * Only transcripts in this language; `pt` includes `pt-BR`
         */
        language?: string;
        /**
         * Only videos published then or later: YYYY-MM-DD or an ISO date-time
         */
        after?: string;
        /**
         * Only videos published then or before: YYYY-MM-DD (its whole day) or an ISO date-time
         */
        before?: string;
        /**
         * Only this video, by its id on the platform
         */
        video?: string;
        /**
         * How many mentions to skip
         */
        offset?: number;
        /**
         * Page length
         */
        limit?: number;
    };
    url: '/search/mentions';
};

export type ListMentionsErrors = {
    /**
     * The request is malformed.
     */
    400: Error;
    /**
     * This API key is not known here, or it was revoked; check it, or create another one on the account page.
     */
    401: Error;
    /**
     * Too many requests with this key; wait the number of seconds in Retry-After.
     */
    429: Error;
    /**
     * The request line and headers are larger than 16 KB.
     */
    431: Error;
    /**
     * Something went wrong on our side; try again later.
     */
    500: Error;
    /**
     * The server is running as many jobs as it can; try again after Retry-After seconds.
     */
    503: Error;
};

export type ListMentionsError = ListMentionsErrors[keyof ListMentionsErrors];

export type ListMentionsResponses = {
    /**
     * A page of mentions, with all mentions counted by video, channel and month
     */
    200: Mentions;
};

export type ListMentionsResponse = ListMentionsResponses[keyof ListMentionsResponses];
