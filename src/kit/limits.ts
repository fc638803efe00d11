/** Limits of the kit that several files use, each with its unit; `LIMITS` holds them beside the product’s. */

export const KIT_LIMITS = {
  bodyBytes: 65_536,
  /** How long a browser may reuse the answer to a preflight. */
  preflightSeconds: 7_200,
  /** The time after which an idle connection to the database is probed. */
  keepAliveProbeMs: 10_000,
  /** How long a database host that is looked at may take to say what it is, and how often several are. */
  hostAnswerMs: 2_000,
  hostLookEveryMs: 250,
  /**
   * Requests to an object store: the deadline of each of so many tries, by what is read or sent at a bad time's speed;
   * their pause, and the bytes of an answer.
   */
  objectStore: {
    startMs: 4_000,
    bytesPerMs: 500,
    tries: 3,
    pauseMs: 200,
    connections: 16,
    answerBytes: 65_536,
    listBytes: 4 * 1024 * 1024,
  },
} as const

/** How long an answer waits for the database, at most. */
export const DATABASE_DEADLINES = {
  connectMs: 5_000,
  statementMs: 5_000,
  lockMs: 5_000,
  idleInTransactionMs: 5_000,
  /** The time, above statementMs, after which a server that answers nothing at all is gone. */
  silenceMs: 8_000,
} as const

export type DatabaseDeadlines = { readonly [Name in keyof typeof DATABASE_DEADLINES]: number }
