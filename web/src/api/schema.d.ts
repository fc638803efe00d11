/** Types of the public API, written from its OpenAPI document by test/account/web-types.test.ts. */

export interface paths {
    "/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the prepaid balance; money reserved for running jobs is already subtracted */
        get: operations["getBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the jobs of the account, newest first, whichever interface started them */
        get: operations["listJobs"];
        put?: never;
        /**
         * Start a job
         * @description Lists the videos behind the URLs and fetches the captions of each. The cost of up to `input.maxVideos` transcripts is reserved; what is delivered is charged when the job ends. The same URLs again continue where the earlier job ended. Where a name stands twice in the body, the last one counts.
         */
        post: operations["createJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read state and progress of a job */
        get: operations["getJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel a job: what was delivered is charged and stays readable */
        post: operations["cancelJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}/files/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a file: the job as a ZIP, all texts, the report, or one video in one format
         * @description Files of a final job never change: they have a strong ETag and honour If-None-Match and Range. Those of a running job hold what it has delivered so far.
         */
        get: operations["getFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}/receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the signed receipt of a job that is final; before that there is none (404) */
        get: operations["getReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what a job has found so far; while it runs, a row once listed does not move
         * @description Offsets count rows. While the job runs they are in order of completion and `complete` is false; once it is final they are in order of `index`: who sees `complete` turn true starts again at offset 0.
         */
        get: operations["getResults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read this document */
        get: operations["getOpenApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Balance: {
            affordableTranscripts: number;
            /**
             * @description USD as a plain decimal of three to six decimals
             * @example 0.008
             */
            balance: string;
            /** @description Millionths of a dollar */
            balanceMicros: number;
            /** @constant */
            currency: "USD";
            /**
             * @description USD as a plain decimal of three to six decimals
             * @example 0.008
             */
            pricePerTranscript: string;
        };
        Downloads: {
            /** Format: uri */
            allText: string;
            /** Format: uri */
            reportCsv: string;
            /** Format: uri */
            zip: string;
        };
        Error: {
            error: {
                /**
                 * @description Stable between releases
                 * @enum {string}
                 */
                code: "invalid_request" | "invalid_url" | "unauthorized" | "insufficient_balance" | "not_found" | "idempotency_conflict" | "job_in_progress" | "rate_limited" | "internal_error" | "server_busy";
                /** @description Only with job_in_progress: the job to poll instead */
                jobId?: string;
                /** @description For people; may change between releases */
                message: string;
            };
        };
        /** @enum {string} */
        Format: "text" | "srt" | "vtt" | "segments";
        Job: {
            billing: components["schemas"]["JobBilling"];
            /** Format: date-time */
            createdAt: string;
            error: string | null;
            finishedAt: string | null;
            /**
             * @description Job id, as POST /jobs returned it
             * @example 01998d5e-7a10-7c4e-9f0b-3f6d2a5b8c11
             */
            id: string;
            input: components["schemas"]["JobInput"];
            links: {
                /** Format: uri */
                results: string;
                /** Format: uri */
                self: string;
            };
            /** @description Only in answers of POST /jobs */
            notices?: string[];
            progress: components["schemas"]["JobProgress"];
            state: components["schemas"]["JobState"];
        };
        JobBilling: {
            charged: string | null;
            chargedTranscripts: number | null;
            /**
             * @description USD as a plain decimal of three to six decimals
             * @example 0.008
             */
            pricePerTranscript: string;
            /**
             * @description USD as a plain decimal of three to six decimals
             * @example 0.008
             */
            reserved: string;
            /** @description True exactly when the state is final */
            settled: boolean;
        };
        JobInput: {
            formats: components["schemas"]["Format"][];
            language: string;
            /** @description Videos the job may process after the balance cap */
            maxVideos: number;
            publishedAfter: string | null;
            publishedBefore: string | null;
            /** @description The value asked for */
            requestedMaxVideos: number;
            /** @description Split, trimmed and de-duplicated, in the order given */
            urls: string[];
        };
        JobList: {
            jobs: components["schemas"]["Job"][];
            limit: number;
            nextOffset: number | null;
            offset: number;
            total: number;
        };
        JobProgress: {
            /** @description Number of videos per status */
            counts: {
                [key: string]: number;
            };
            /** @description Videos with a transcript */
            delivered: number;
            discovered: number | null;
            /** @description Videos with a result of any status */
            processed: number;
        };
        JobRequest: {
            /**
             * @description Files to make; results always hold text and segments
             * @default [
             *       "text",
             *       "srt",
             *       "vtt",
             *       "segments"
             *     ]
             */
            formats?: components["schemas"]["Format"][];
            /**
             * @description `original` or a caption language code (en, es, pt-BR); falls back to the original language
             * @default original
             */
            language?: string;
            /**
             * @description Most videos to process, newest first for channels; the balance may lower it
             * @default 500
             */
            maxVideos?: number;
            /** @description Only videos published on or after this date: YYYY-MM-DD or an ISO date-time; UTC unless it says otherwise */
            publishedAfter?: string;
            /** @description Only videos published on or before this date: YYYY-MM-DD (its whole day) or an ISO date-time */
            publishedBefore?: string;
            /** @description Video, Shorts, playlist or channel URLs, or video ids; a string may hold several, one per line */
            urls: string[] | string;
        };
        /**
         * @description queued, running and cancelling still work; the others are final and billed
         * @enum {string}
         */
        JobState: "queued" | "running" | "cancelling" | "finished" | "cancelled" | "failed" | "interrupted";
        Receipt: {
            accountId: string;
            /**
             * @description USD as a plain decimal of three to six decimals
             * @example 0.008
             */
            charged: string;
            /** Format: date-time */
            createdAt: string;
            /** @constant */
            currency: "USD";
            delivered: {
                index: number;
                textSha256: string;
                videoId: string;
            }[];
            /** Format: date-time */
            finishedAt: string;
            /** @description Its keys are at /.well-known/scriptorium-keys.json under this address */
            issuer: string;
            /**
             * @description Job id, as POST /jobs returned it
             * @example 01998d5e-7a10-7c4e-9f0b-3f6d2a5b8c11
             */
            jobId: string;
            ledger: {
                entries: {
                    /** Format: date-time */
                    createdAt: string;
                    hash: string;
                    /** @description Millionths of a USD, whole */
                    heldMicros: string;
                    /** @enum {unknown} */
                    kind: "top_up" | "adjust" | "reserve" | "charge" | "release";
                    number: string;
                    /** @description Millionths of a USD, whole */
                    postedMicros: string;
                    previousHash: string;
                    reason: string | null;
                    reference: string;
                }[];
                headAfter: string;
                headBefore: string;
            };
            /**
             * @description USD as a plain decimal of three to six decimals
             * @example 0.008
             */
            pricePerTranscript: string;
            /**
             * @description USD as a plain decimal of three to six decimals
             * @example 0.008
             */
            released: string;
            /**
             * @description USD as a plain decimal of three to six decimals
             * @example 0.008
             */
            reserved: string;
            signature: {
                /** @constant */
                algorithm: "Ed25519";
                keyId: string;
                /** @description Base64, over the canonical JSON of everything else: names sorted, no blanks */
                value: string;
            };
            /** @enum {unknown} */
            state: "finished" | "cancelled" | "failed" | "interrupted";
            transcripts: number;
            /** @constant */
            type: "scriptorium-receipt-1";
            urlSetSha256: string;
        };
        Results: {
            /** @description False while the job is still running */
            complete: boolean;
            downloads: components["schemas"]["Downloads"];
            /**
             * @description Job id, as POST /jobs returned it
             * @example 01998d5e-7a10-7c4e-9f0b-3f6d2a5b8c11
             */
            id: string;
            limit: number;
            nextOffset: number | null;
            offset: number;
            state: components["schemas"]["JobState"];
            total: number;
            videos: components["schemas"]["Video"][];
        };
        Segment: {
            endMs: number;
            startMs: number;
            text: string;
        };
        Video: {
            channelName: string | null;
            errorMessage: string | null;
            /** @description Download links by format, for delivered videos */
            files: {
                [key: string]: string;
            };
            /** @description Position of the video; names its files */
            index: number;
            /** @description The status in plain words */
            label: string;
            languageCode: string | null;
            publishedAt: string | null;
            segments: components["schemas"]["Segment"][] | null;
            /** @description `success` is charged; free are no_captions, language_not_available, private, unavailable, blocked_suspect, failed, invalid_url, truncated, skipped, unchanged */
            status: string;
            text: string | null;
            title: string | null;
            trackKind: ("manual" | "asr") | null;
            url: string | null;
            videoId: string | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /**
         * @description The name to save the file under
         * @example attachment; filename="1.txt"
         */
        ContentDisposition: string;
        /** @description Names these bytes; send it as If-None-Match to be told whether they changed */
        ETag: string;
        /**
         * @description `true`: the answer is about the job that this key started before
         * @example true
         */
        IdempotentReplayed: string;
        /**
         * @description The field of the body or the query that has to change, where it is one
         * @example maxVideos
         */
        InvalidField: string;
        /** @description Address of the job */
        Location: string;
        /**
         * @description Requests the key may make in a burst
         * @example 60
         */
        RateLimitLimit: number;
        /**
         * @description Requests left at the moment; one more every second
         * @example 59
         */
        RateLimitRemaining: number;
        /**
         * @description Names this request when you ask us about it
         * @example 3f1c6f0e-93f4-4a1e-9d5e-6a1f4f2f7c55
         */
        RequestId: string;
        /**
         * @description Seconds to wait before asking again
         * @example 1
         */
        RetryAfter: number;
        /**
         * @description How to authenticate
         * @example Bearer
         */
        WwwAuthenticate: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getBalance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What can be spent now */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Balance"];
                };
            };
            /** @description The request is malformed. */
            400: {
                headers: {
                    "X-Invalid-Field": components["headers"]["InvalidField"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Send `Authorization: Bearer <API key>` with a key of your account; create one on the account page. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests with this key; wait the number of seconds in Retry-After. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Something went wrong on our side; try again later. */
            500: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server is running as many jobs as it can; try again after Retry-After seconds. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listJobs: {
        parameters: {
            query?: {
                /** @description Items at most */
                limit?: number;
                /** @description Items to pass over */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of jobs */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobList"];
                };
            };
            /** @description The request is malformed. */
            400: {
                headers: {
                    "X-Invalid-Field": components["headers"]["InvalidField"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Send `Authorization: Bearer <API key>` with a key of your account; create one on the account page. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests with this key; wait the number of seconds in Retry-After. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Something went wrong on our side; try again later. */
            500: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server is running as many jobs as it can; try again after Retry-After seconds. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createJob: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a repeat safe: the same key with the same body answers with the job it started before
                 * @example order-4711
                 */
                "Idempotency-Key"?: string;
                /**
                 * @description `wait=N`: answer when the job is final or N seconds are over (at most 60)
                 * @example wait=30
                 */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["JobRequest"];
            };
        };
        responses: {
            /** @description The job that this Idempotency-Key started before; nothing new was started or charged */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description The job has started; money for up to `input.maxVideos` transcripts is reserved */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description The request is malformed. Or: One of the lines is not a video, playlist or channel URL. */
            400: {
                headers: {
                    "X-Invalid-Field": components["headers"]["InvalidField"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Send `Authorization: Bearer <API key>` with a key of your account; create one on the account page. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The available balance does not cover one transcript (0.008 USD). */
            402: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description This Idempotency-Key was used with a different body; choose a new key. Or: A job with the same URLs is still running; poll the job named in `jobId`. */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is larger than 64 KB; send fewer or shorter lines. */
            413: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Content-Type is not application/json. */
            415: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests with this key; wait the number of seconds in Retry-After. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Something went wrong on our side; try again later. */
            500: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server is running as many jobs as it can; try again after Retry-After seconds. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getJob: {
        parameters: {
            query?: {
                /** @description Answer when the job is final or as many seconds are over */
                wait?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Job id, as POST /jobs returned it
                 * @example 01998d5e-7a10-7c4e-9f0b-3f6d2a5b8c11
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job as it is now */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description The request is malformed. */
            400: {
                headers: {
                    "X-Invalid-Field": components["headers"]["InvalidField"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Send `Authorization: Bearer <API key>` with a key of your account; create one on the account page. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Your account has nothing at this address; check the id. */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests with this key; wait the number of seconds in Retry-After. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Something went wrong on our side; try again later. */
            500: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server is running as many jobs as it can; try again after Retry-After seconds. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    cancelJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Job id, as POST /jobs returned it
                 * @example 01998d5e-7a10-7c4e-9f0b-3f6d2a5b8c11
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job was final already; nothing changed */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description The job is being cancelled */
            202: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description The request is malformed. */
            400: {
                headers: {
                    "X-Invalid-Field": components["headers"]["InvalidField"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Send `Authorization: Bearer <API key>` with a key of your account; create one on the account page. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Your account has nothing at this address; check the id. */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests with this key; wait the number of seconds in Retry-After. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Something went wrong on our side; try again later. */
            500: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server is running as many jobs as it can; try again after Retry-After seconds. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getFile: {
        parameters: {
            query?: {
                /** @description `1`: report.csv begins with a byte order mark, for old spreadsheets */
                bom?: "0" | "1";
                /** @description `title`: readable names, in the ZIP and where the file is saved */
                names?: "index" | "title";
            };
            header?: {
                /** @description The ETag of the file you hold */
                "If-None-Match"?: string;
                /**
                 * @description Bytes to continue from; only of a final job
                 * @example bytes=1000-
                 */
                Range?: string;
            };
            path: {
                file: string;
                /**
                 * @description Job id, as POST /jobs returned it
                 * @example 01998d5e-7a10-7c4e-9f0b-3f6d2a5b8c11
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file as an attachment */
            200: {
                headers: {
                    "Content-Disposition": components["headers"]["ContentDisposition"];
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Segment"][];
                    "application/zip": string;
                    "text/csv": string;
                    "text/plain": string;
                };
            };
            /** @description The part that Range asks for */
            206: {
                headers: {
                    "Content-Disposition": components["headers"]["ContentDisposition"];
                    ETag: components["headers"]["ETag"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Segment"][];
                    "application/zip": string;
                    "text/csv": string;
                    "text/plain": string;
                };
            };
            /** @description It is still the one that If-None-Match names */
            304: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is malformed. */
            400: {
                headers: {
                    "X-Invalid-Field": components["headers"]["InvalidField"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Send `Authorization: Bearer <API key>` with a key of your account; create one on the account page. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Your account has nothing at this address; check the id. */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The file has none of the bytes that Range asks for. */
            416: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests with this key; wait the number of seconds in Retry-After. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Something went wrong on our side; try again later. */
            500: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server is running as many jobs as it can; try again after Retry-After seconds. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getReceipt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Job id, as POST /jobs returned it
                 * @example 01998d5e-7a10-7c4e-9f0b-3f6d2a5b8c11
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The receipt, the same for ever */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
            /** @description The request is malformed. */
            400: {
                headers: {
                    "X-Invalid-Field": components["headers"]["InvalidField"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Send `Authorization: Bearer <API key>` with a key of your account; create one on the account page. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Your account has nothing at this address; check the id. */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests with this key; wait the number of seconds in Retry-After. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Something went wrong on our side; try again later. */
            500: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server is running as many jobs as it can; try again after Retry-After seconds. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getResults: {
        parameters: {
            query?: {
                /** @description Items at most */
                limit?: number;
                /** @description Items to pass over */
                offset?: number;
                /**
                 * @description Only rows whose title has this in it, in any case; `total` counts them
                 * @example zoo
                 */
                q?: string;
                /**
                 * @description Only rows of this status, or of these with commas between them; `total` counts them
                 * @example success
                 */
                status?: string;
                /** @description `rows` leaves text and segments null */
                view?: "full" | "rows";
            };
            header?: never;
            path: {
                /**
                 * @description Job id, as POST /jobs returned it
                 * @example 01998d5e-7a10-7c4e-9f0b-3f6d2a5b8c11
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of rows, those without a transcript included */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Results"];
                };
            };
            /** @description The request is malformed. */
            400: {
                headers: {
                    "X-Invalid-Field": components["headers"]["InvalidField"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Send `Authorization: Bearer <API key>` with a key of your account; create one on the account page. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Your account has nothing at this address; check the id. */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests with this key; wait the number of seconds in Retry-After. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Something went wrong on our side; try again later. */
            500: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server is running as many jobs as it can; try again after Retry-After seconds. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOpenApi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The OpenAPI 3.1 document of this interface */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        openapi: string;
                    };
                };
            };
            /** @description It is still the one that If-None-Match names */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is malformed. */
            400: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Invalid-Field": components["headers"]["InvalidField"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request line and headers are larger than 16 KB. */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Something went wrong on our side; try again later. */
            500: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
