/** How long what OAuth gives out can be used, and how many there may be. */

export const OAUTH_LIMITS = {
  codeSeconds: 120,
  accessTokenSeconds: 3_600,
  /** From each refresh anew. */
  refreshTokenSeconds: 30 * 86_400,
  /** A refresh whose answer was lost may be repeated so long: others use a token twice by accident, and within moments. */
  repeatSeconds: 30,
  /** Tokens that came of repeats and wait for their first use: more processes of one app do not renew at once. */
  repeatsMax: 5,
  /** For so long a used refresh token is known, and ends the grant if it comes again. */
  usedKeptSeconds: 30 * 86_400,
  deviceLoginSeconds: 600,
  pollSeconds: 5,
  /** A description of an app in a document is read again after so long. */
  documentKeptSeconds: 3_600,
  documentBytes: 16 * 1024,
  documentMs: 5_000,
  unconnectedClientsMax: 5_000,
  unconnectedClientSeconds: 86_400,
  /** What the consent page proposes, and the most it takes. */
  capProposedMicros: 5_000_000n,
  capMaxMicros: 100_000_000_000n,
} as const
