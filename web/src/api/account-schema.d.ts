/** Types of what the account API answers, written from src/account-api/replies.ts by test/account/web-types.test.ts. */

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Access: {
            keys: number;
            passkeys: number;
        };
        AfterReset: {
            /** @description Revokes both for a quarter of an hour */
            grant: string;
            keys: number;
            passkeys: number;
        };
        ApiKey: {
            /** Format: date-time */
            createdAt: string;
            id: string;
            lastUsedAt: string | null;
            name: string;
            prefix: string;
            revokedAt: string | null;
        };
        ApiKeys: {
            keys: {
                /** Format: date-time */
                createdAt: string;
                id: string;
                lastUsedAt: string | null;
                name: string;
                prefix: string;
                revokedAt: string | null;
            }[];
        };
        Bearer: {
            bearer: string;
            lifetimeSeconds: number;
        };
        Checkout: {
            url: string;
        };
        Done: {
            /** @constant */
            status: true;
        };
        Funds: {
            affordableTranscripts: number;
            /** @description USD as a plain decimal */
            available: string;
            /** @description USD as a plain decimal */
            held: string;
            /** @description USD as a plain decimal */
            pricePerTranscript: string;
        };
        NewKey: {
            apiKey: string;
            keyId: string;
            prefix: string;
        };
        Recognition: {
            lineCount: number;
            lines: {
                about: string;
                /** @description Null where the line is no source; then `about` says why */
                kind: ("video" | "playlist" | "channel") | null;
                line: string;
            }[];
            linesMax: number;
        };
        Revoked: {
            /** @constant */
            revoked: true;
        };
        SignInMethods: {
            hasPassword: boolean;
            passkeys: {
                createdAt: string | null;
                id: string;
                isSynced: boolean;
                name: string | null;
            }[];
            providers: string[];
            sessions: number;
        };
        Statement: {
            entries: {
                /** Format: date-time */
                at: string;
                /** @description What could be spent after it, in USD */
                balance: string;
                /** @description Of what can be spent, in USD */
                change: string;
                /** @description Only of a charge: what was taken of the reserve */
                charged: string | null;
                jobId: string | null;
                /** @enum {string} */
                kind: "top_up" | "adjust" | "reserve" | "charge" | "release";
                number: number;
                reason: string | null;
                /** @description USD as a plain decimal */
                reserved: string;
            }[];
            limit: number;
            nextOffset: number | null;
            offset: number;
            total: number;
        };
        StatementEntry: {
            /** Format: date-time */
            at: string;
            /** @description What could be spent after it, in USD */
            balance: string;
            /** @description Of what can be spent, in USD */
            change: string;
            /** @description Only of a charge: what was taken of the reserve */
            charged: string | null;
            jobId: string | null;
            /** @enum {string} */
            kind: "top_up" | "adjust" | "reserve" | "charge" | "release";
            number: number;
            reason: string | null;
            /** @description USD as a plain decimal */
            reserved: string;
        };
        TopUpOffer: {
            /** @description In USD; none where only the operator adds credit */
            amounts: string[];
        };
        Verified: {
            state: "signed_in" | "password_needed";
        };
        Visit: {
            accountId: string | null;
            /** @description Absolute base address of the public API */
            apiBase: string;
            /** @description Null while nobody is signed in */
            email: string | null;
            /** @description What the button of the provider says; null without one */
            oidcName: string | null;
            sendsMail: boolean;
            signUp: "open" | "closed";
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
