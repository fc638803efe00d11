/** Types of what the account API answers, written from src/api/account-api/replies.ts by `npm run print`. */

export type Incident = {
    kind: 'slow_queue' | 'routes_resting' | 'platform_changed' | 'not_running';
    beganAt: string;
    /** Null while it goes on */
    endedAt: string | null;
};

export type ServiceStatus = {
    readAt: string;
    days: Array<{
        day: string;
        delivered: number;
        answered: number;
        blocked: number;
        failed: number;
        /** Median wait of a job before it started */
        waitMs: number | null;
        /** Median time of a job for each of its videos */
        videoMs: number | null;
    }>;
    incidents: Array<Incident>;
};

export type OperatorClearance = {
    /** Whether there is a second factor */
    isEnrolled: boolean;
    /** Whether this session showed it */
    isProven: boolean;
};

export type NewFactor = {
    secret: string;
    /** For an authenticator app */
    uri: string;
};

export type OperatorHealth = {
    jobs: Array<{
        state: string;
        count: number;
    }>;
    oldestQueuedSeconds: number;
    suspendedAccounts: number;
    deliveries: {
        oldestDueSeconds: number;
        pending: number;
        failingWebhooks: number;
    };
    looksDueSeconds: number;
    hours: Array<{
        at: string;
        delivered: number;
        answered: number;
        blocked: number;
        failed: number;
    }>;
    routes: Array<{
        name: string;
        ratePerMinute: number;
        /** Null: it may be used */
        restsUntil: string | null;
        blocks: number;
        deliveredAt: string | null;
        /** Null: no bound */
        captionsPerDay: number | null;
        captionsCame: number;
        /** Null: its day has room */
        roomAt: string | null;
    }>;
    verdicts: Array<{
        part: string;
        /** Empty: all answers of the part */
        verdict: string;
        answers: number;
        /** Amounts by hour, as in `hours` of the answer */
        hours: Array<number>;
    }>;
    /** Null where none is kept, or none has ended yet */
    canary: {
        verdict: 'healthy' | 'degraded' | 'down' | 'not_asked';
        since: string;
        checkedAt: string;
        failing: Array<{
            name: string;
            sentence: string;
        }>;
        detail: string | null;
    } | null;
    incidents: Array<Incident>;
    clients: Array<{
        name: string;
        version: string;
        use: string;
        userAgent: string;
        retiredAt: string | null;
    }>;
    /** Null where the process that answers has no worker, so sees nothing of the platform */
    drifts: Array<string> | null;
};

export type OperatorAccounts = {
    total: number;
    offset: number;
    limit: number;
    /** Null on the last page */
    nextOffset: number | null;
    accounts: Array<{
        accountId: string;
        email: string;
        createdAt: string;
        state: 'active' | 'suspended' | 'deleted';
        /** USD as a plain decimal */
        available: string;
        /** USD as a plain decimal */
        held: string;
        /** USD as a plain decimal */
        charged: string;
        jobs: number;
        lastUsedAt: string | null;
    }>;
};

export type OperatorAccountDetails = {
    accountId: string;
    email: string;
    createdAt: string;
    state: 'active' | 'suspended' | 'deleted';
    /** USD as a plain decimal */
    available: string;
    /** USD as a plain decimal */
    held: string;
    /** USD as a plain decimal */
    charged: string;
    jobs: number;
    lastUsedAt: string | null;
    /** Who signs in to it, and how */
    users: Array<string>;
    keys: Array<{
        name: string;
        prefix: string;
        revokedAt: string | null;
    }>;
    openJobs: Array<OperatorJob>;
    acts: Array<{
        act: string;
        jobId: string | null;
        by: string;
        reason: string | null;
        detail: string | null;
        at: string;
    }>;
    today: {
        calls: number;
        receivedBytes: number;
        cpuSeconds: number;
        storedBytes: number;
    };
    last30Days: {
        calls: number;
        receivedBytes: number;
        cpuSeconds: number;
        storedBytes: number;
    };
};

export type OperatorJobs = {
    offset: number;
    limit: number;
    /** Null on the last page */
    nextOffset: number | null;
    jobs: Array<OperatorJob>;
};

export type OperatorJob = {
    jobId: string;
    accountId: string;
    email: string;
    state: string;
    createdAt: string;
    startedAt: string | null;
    finishedAt: string | null;
    /** The lines; in a list the first three */
    urls: Array<string>;
    lines: number;
    maxVideos: number;
    processed: number;
    delivered: number;
    /** USD as a plain decimal */
    reserved: string;
    charged: string | null;
    error: string | null;
    /** Why it waits; null where it does not */
    waiting: string | null;
};

export type OperatorCosts = {
    days: number;
    by: 'calls' | 'bytes' | 'cpu' | 'stored' | 'money';
    costs: Array<{
        accountId: string;
        email: string;
        calls: number;
        receivedBytes: number;
        cpuSeconds: number;
        storedBytes: number;
        /** USD as a plain decimal */
        charged: string;
    }>;
};

export type LoggedOperatorAct = {
    id: number;
    act: string;
    at: string;
    by: string;
    accountId: string | null;
    email: string | null;
    jobId: string | null;
    reason: string | null;
    detail: string | null;
};

export type OperatorChecks = {
    /** The latest verification; null: never */
    ledger: LoggedOperatorAct | null;
    /** The latest examination; null: never */
    doctor: LoggedOperatorAct | null;
};

export type OperatorDeliveries = {
    webhooks: Array<{
        webhookId: string;
        accountId: string;
        email: string;
        /** Without path and query; null: mails */
        url: string | null;
        failingSince: string | null;
        disabledAt: string | null;
        disabledBecause: string | null;
        pending: number;
        outcome: string | null;
        status: number | null;
        error: string | null;
    }>;
};

export type OperatorStorage = {
    databaseBytes: number;
    tables: Array<{
        name: string;
        bytes: number;
        indexBytes: number;
        toastBytes: number;
        rows: number;
    }>;
    accounts: Array<{
        accountId: string;
        email: string;
        textBytes: number;
    }>;
    growth: Array<{
        day: string;
        storedBytes: number;
    }>;
    backups: {
        /** Null where BACKUP_DIR is not set */
        folder: string | null;
        /** Why the folder could not be read */
        problem: string | null;
        files: Array<{
            file: string;
            createdAt: string;
            removeBy: string;
            /** Whether it is older than BACKUP_DAYS */
            isDue: boolean;
            deletedAccounts: number;
        }>;
    };
};

export type OperatorSettings = {
    settings: Array<{
        name: string;
        about: string;
        isSecret: boolean;
        isSet: boolean;
        /** Null for a secret, and where nothing is set */
        value: string | null;
    }>;
};

export type OperatorLog = {
    acts: Array<LoggedOperatorAct>;
    /** Null on the last page */
    nextBefore: number | null;
};

export type Done = {
    status: true;
};

export type Visit = {
    /** Null while nobody is signed in */
    email: string | null;
    accountId: string | null;
    isOperator: boolean;
    /** Links at the foot of every page, in groups */
    foot: Array<{
        title: string;
        links: Array<{
            path: string;
            title: string;
        }>;
    }>;
    /** Absolute base address of the public API */
    apiBase: string;
    signUp: 'open' | 'closed';
    sendsMail: boolean;
    /** The label of the provider's button; null without a provider */
    oidcName: string | null;
    /** Whether this visitor may make the first account, the operator's */
    isFirstRun: boolean;
    examples: {
        /** Address of a video with captions */
        video: string;
        channel: string;
    };
};

export type Bearer = {
    bearer: string;
    lifetimeSeconds: number;
};

export type SignInMethods = {
    hasPassword: boolean;
    providers: Array<string>;
    passkeys: Array<{
        id: string;
        name: string | null;
        createdAt: string | null;
        isSynced: boolean;
    }>;
    sessions: Array<{
        id: string;
        /** Browser and system in plain words */
        device: string;
        signedInAt: string;
        /** True to ten minutes */
        lastUsedAt: string;
        isCurrent: boolean;
    }>;
    /** Asked for, and not confirmed yet */
    nextAddress: {
        email: string;
        expiresAt: string;
    } | null;
};

export type ApiKey = {
    id: string;
    name: string;
    prefix: string;
    createdAt: string;
    lastUsedAt: string | null;
    revokedAt: string | null;
    /** When it first came by plain http, where others may have read it */
    sentInClearAt: string | null;
    /** Null: it may do everything */
    scopes: Array<'transcripts:read' | 'jobs:write' | 'account:read'> | null;
    /** Null: it may spend the whole balance */
    monthlyCap: string | null;
    /** Only of a key with a monthly limit */
    spentThisMonth: string | null;
};

export type ApiKeys = {
    keys: Array<ApiKey>;
};

export type NewKey = {
    keyId: string;
    apiKey: string;
    prefix: string;
};

export type Revoked = {
    revoked: true;
};

export type Funds = {
    /** USD as a plain decimal */
    available: string;
    /** USD as a plain decimal */
    held: string;
    /** USD as a plain decimal */
    pricePerTranscript: string;
    affordableTranscripts: number;
};

export type StatementEntry = {
    number: number;
    at: string;
    kind: 'top_up' | 'adjust' | 'reserve' | 'charge' | 'release';
    /** Change of the available balance, in USD */
    change: string;
    /** Only for a charge: what was taken from the reserve */
    charged: string | null;
    jobId: string | null;
    reason: string | null;
    /** Available balance after the entry, in USD */
    balance: string;
    /** USD as a plain decimal */
    reserved: string;
};

export type Statement = {
    total: number;
    offset: number;
    limit: number;
    nextOffset: number | null;
    entries: Array<StatementEntry>;
};

export type Movement = {
    jobId: string | null;
    /** What the job is called; null for an entry that belongs to no job */
    title: string | null;
    /** The batch that it is a job of */
    batch: {
        id: string;
        /** What the batch is called */
        title: string;
        /** The job's number in it, from 1 */
        number: number;
    } | null;
    /** What it added or took, in USD; none as long as a job runs */
    change: string;
    /** What a running job holds of the balance, in USD */
    held: string;
    /** What the account had after it, held money included: that of the next and its change */
    balance: string;
    /** One that belongs to no job, or all of one job: the reserve first */
    entries: Array<{
        number: number;
        at: string;
        kind: 'top_up' | 'adjust' | 'reserve' | 'charge' | 'release';
        /** Change of the available balance, in USD */
        change: string;
        /** Only for a charge: what was taken from the reserve */
        charged: string | null;
        jobId: string | null;
        reason: string | null;
    }>;
};

export type Movements = {
    total: number;
    offset: number;
    limit: number;
    nextOffset: number | null;
    movements: Array<Movement>;
};

export type Orders = {
    total: number;
    offset: number;
    limit: number;
    nextOffset: number | null;
    orders: Array<{
        /** Null for a batch, which stands for its jobs */
        job: {
            /** The id that POST /jobs returned */
            id: string;
            /**
             * JobState
             *
             * queued, running and cancelling jobs are open; the others are final and billed
             */
            state: 'queued' | 'running' | 'cancelling' | 'finished' | 'cancelled' | 'failed' | 'interrupted';
            createdAt: string;
            finishedAt: string | null;
            /** JobInput */
            input: {
                /** The lines, trimmed and without duplicates, in the order given */
                urls: Array<string>;
                language: string;
                formats: Array<'text' | 'srt' | 'vtt' | 'segments'>;
                /** Videos the job may process after the balance cap */
                maxVideos: number;
                /** The value asked for */
                requestedMaxVideos: number;
                publishedAfter: string | null;
                publishedBefore: string | null;
            };
            /** JobProgress */
            progress: {
                discovered: number | null;
                /** Videos with a result of any status */
                processed: number;
                /** Videos with a transcript */
                delivered: number;
                /** Number of videos per status */
                counts: {
                    [key: string]: number;
                };
            };
            /** JobBilling */
            billing: {
                /** USD as a plain decimal number with three to six decimals */
                reserved: string;
                /** True if and only if the state is final */
                settled: boolean;
                charged: string | null;
                chargedTranscripts: number | null;
                /** USD as a plain decimal number with three to six decimals */
                pricePerTranscript: string;
            };
            error: string | null;
            /** Only in the answer to POST /jobs */
            notices?: Array<string>;
            links: {
                self: string;
                results: string;
            };
            /** Name of the job, or what it is about; only with `view=named` and in the answer of PATCH */
            title?: string;
            /** The name you gave it; only with `view=named` and in the answer of PATCH */
            name?: string | null;
            /** Your note about it; only with `view=named` and in the answer of PATCH */
            note?: string | null;
            /** The kind of track that was asked for, if any; only with `view=named` and in the answer of PATCH */
            track?: 'manual' | 'asr';
            /** The batch that it is a job of, if any; only with `view=named` and in the answer of PATCH */
            batch?: {
                id: string;
                /** What the batch is called */
                title: string;
                /** The job's number in it, from 1 */
                number: number;
            };
        } | null;
        batch: {
            /** Batch id, as POST /batches returned it */
            id: string;
            /** `stopped`: by you, or because its next job was refused, as `notice` says; it can be continued */
            state: 'running' | 'finished' | 'stopped';
            /** What it is called: its name, or what it is about */
            title: string;
            name: string | null;
            createdAt: string;
            finishedAt: string | null;
            /** How many lines were ordered */
            lines: number;
            /** How many parts of 50 lines they make */
            parts: number;
            /** The part in progress, from 1 */
            part: number;
            /** Most videos that all its jobs may process together */
            maxVideos: number;
            owned: 'skip' | 'again';
            /** Present where a kind of track was asked for */
            track?: 'manual' | 'asr';
            progress: {
                /** Videos that its jobs processed, whatever the result */
                processed: number;
                delivered: number;
                /** Number of videos per status that its jobs processed; rows that take no place, such as `unchanged` and `truncated`, are left out, since one job after another lists the same videos */
                counts: {
                    [key: string]: number;
                };
            };
            billing: {
                /** What all its jobs can cost together, in USD */
                atMost: string;
                /** By the running job */
                reserved: string;
                /** USD as a plain decimal number with three to six decimals */
                charged: string;
            };
            /** Why it waits or stopped, or what it left, in a sentence */
            notice: string | null;
            /** Its jobs, in the order they were started */
            jobs: Array<{
                /** The id that POST /jobs returned */
                id: string;
                /**
                 * JobState
                 *
                 * queued, running and cancelling jobs are open; the others are final and billed
                 */
                state: 'queued' | 'running' | 'cancelling' | 'finished' | 'cancelled' | 'failed' | 'interrupted';
                delivered: number;
                /** USD as a plain decimal number with three to six decimals */
                charged: string;
                /** What it took, such as `Daily Notes, videos 1 to 500`; only where one batch is asked for */
                title?: string;
            }>;
        } | null;
    }>;
};

export type TopUpOffer = {
    /** In USD; empty if only the operator adds credit */
    amounts: Array<string>;
};

export type Booked = {
    /** Null while the payment has not arrived */
    amount: string | null;
};

export type Checkout = {
    url: string;
};

export type SpenderName = {
    /** Id of a key or an app, or `website` */
    id: string;
    /** Null for the website, and for a key that is forgotten */
    name: string | null;
};

export type Usage = {
    /** By month (UTC) and spender, the latest month and what cost most first */
    rows: Array<{
        month: string;
        spender: SpenderName;
        jobs: number;
        transcripts: number;
        /** USD as a plain decimal */
        charged: string;
    }>;
};

export type Spending = {
    total: number;
    offset: number;
    limit: number;
    nextOffset: number | null;
    jobs: Array<{
        id: string;
        state: 'finished' | 'cancelled' | 'failed' | 'interrupted';
        /** What the job is called */
        title: string;
        batch: {
            id: string;
            /** What the batch is called */
            title: string;
            /** The job's number in it, from 1 */
            number: number;
        } | null;
        transcripts: number;
        /** USD as a plain decimal */
        charged: string;
        chargedAt: string;
        spender: SpenderName;
    }>;
    transcripts: number;
    /** USD as a plain decimal */
    charged: string;
    days: Array<{
        day: string;
        transcripts: number;
        /** USD as a plain decimal */
        charged: string;
    }>;
    months: Array<{
        month: string;
        /** USD as a plain decimal */
        charged: string;
    }>;
    spenders: Array<SpenderName>;
};

export type Invoices = {
    /** Null where the operator offers none */
    invoices: Array<{
        number: string;
        paidAt: string;
        /** USD as a plain decimal */
        amount: string;
        /** What went back of it by refunds and disputes */
        returned: string | null;
    }> | null;
};

export type SourcesPreview = {
    lineCount: number;
    linesMax: number;
    links: number;
    videos: number;
    unclear: number;
    lines: Array<{
        line: string;
        number: number;
        /** Null if the line names no source; `about` says why */
        kind: 'video' | 'playlist' | 'channel' | null;
        about: string;
        /** The line that was probably meant, also for an old name of a channel, which may be its handle */
        suggestion: string | null;
    }>;
    /** How many lines name what an earlier one names */
    repeats: number;
    /** Of a document, what was taken of it and what was not; which lines hold comments; as the notices of an order say it */
    document: string | null;
    /** What was understood, one address on a line */
    usable: string;
    /** What the account has of it already, of more lines than a job may have; `isWhole` where no more can be */
    owned: {
        videos: number;
        isWhole: boolean;
    } | null;
};

export type JobMail = {
    isOn: boolean;
};

export type App = {
    id: string;
    name: string;
    /** The host that vouches for the name; null where nobody does */
    publisher: string | null;
    scopes: Array<'transcripts:read' | 'jobs:write' | 'account:read'>;
    /** USD as a plain decimal */
    monthlyCap: string;
    /** USD as a plain decimal */
    spentThisMonth: string;
    createdAt: string;
    lastUsedAt: string | null;
};

export type Apps = {
    apps: Array<App>;
};

export type AppQuestion = {
    name: string;
    publisher: string | null;
    /** Where the answer goes; null for a program that waits for a code */
    destination: {
        kind: 'host' | 'computer' | 'program';
        name: string;
    } | null;
    scopes: Array<'transcripts:read' | 'jobs:write' | 'account:read'>;
    isConnected: boolean;
    /** The limit as it is, or what is proposed, in USD */
    monthlyCap: string;
    /** USD as a plain decimal */
    spentThisMonth: string;
    /** USD as a plain decimal */
    pricePerTranscript: string;
};

export type Decided = {
    location: string;
};

export type Access = {
    keys: number;
    passkeys: number;
    apps: number;
};

export type AddressKept = {
    /** Where a link for a new password was mailed */
    email: string;
    ended: {
        keys: number;
        passkeys: number;
        apps: number;
        webhooks: number;
    };
};

export type AfterReset = {
    keys: number;
    passkeys: number;
    apps: number;
    /** Allows revoking both, for a quarter of an hour */
    grant: string;
};

export type Verified = {
    state: 'signed_in' | 'password_needed';
};
