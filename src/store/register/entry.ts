/** Entries of the register, one a table: they stand in the files beside this one; `store/register.ts` gathers them. */

/** Files that hold numbers, by the name that a `NumberName` begins with. */
export const NUMBER_FILES = {
  limits: 'src/config/limits.ts',
  variables: 'src/config/variables.ts',
  serviceVariables: 'src/config/service-variables.ts',
  allowance: 'src/model/jobs/allowance.ts',
  attempts: 'src/features/accounts/attempt-limits.ts',
  buckets: 'src/store/rate-buckets.ts',
  givenOnce: 'src/features/accounts/given-once.ts',
  keys: 'src/features/accounts/keys.ts',
  lists: 'src/features/jobs/lists.ts',
  money: 'src/model/money/money.ts',
  oauth: 'src/model/oauth/authorization.ts',
  signIn: 'src/features/accounts/better-auth.ts',
  subscription: 'src/model/follow/subscription.ts',
} as const

/** Name of a number in the code: a constant of one of the files, or a field of one (`attempts.MAILS.size`). */
export type NumberName = `${keyof typeof NUMBER_FILES}.${string}`

/**
 * How a row belongs to an account: its column holds the id of the account, or of a row that belongs to one, or what
 * `key` (SQL) is of that row.
 */
export type Path = { column: string; of: string; key?: string }

/**
 * What a column is, where it is not as the others: a `secret` is in no backup and no export, a `kept_secret` in backups
 * only, since a restore needs it; what is `left_out` of backups refers to what they do not hold; what is `plain` sounds
 * like a secret and is none.
 */
export type ColumnKind = 'secret' | 'kept_secret' | 'left_out' | 'plain'

/**
 * What becomes of a row when its account is deleted: it goes in the commit that ends the access, in the background (by
 * its path before the jobs or after them, or with the rows of a job), or with another row by the database; it stays
 * without what names or describes anybody, or stays as it is, for a reason.
 */
export type Erasure =
  | 'at_once'
  | 'by_account'
  | 'by_job'
  | 'after_jobs'
  | 'stripped'
  | { with: string }
  | { kept: string }

/**
 * What bounds how many rows an account can cause: `held` names the numbers that hold the bound. `of` is the table by
 * whose rows the rows are bounded, so many for each.
 */
export type Growth = {
  per: 'account' | 'user' | 'day' | 'money' | 'row' | 'process' | 'none'
  bound: string
  of?: string
  held: NumberName[]
}

/** Rows that an owner keeps: the table's key, the owner's column, and the order (SQL) from the latest on. */
export type LatestRows = { key: string; of: string; order: string }

type Table = {
  /** Files of `store` that write the table, by blanks: its owner, then those whose statements write several tables. */
  writers: string
  /** Columns by kind, separated by blanks; those that are not named are as the others. */
  columns?: Partial<Record<ColumnKind, string>>
  /** Rows that a backup holds (SQL), or why it holds none; absent where it holds all. Unlogged tables are in none. */
  backup?: { rows: string } | { none: string }
  /** Column with the instant at which a row expires, or from which its age counts; a sweep deletes what is due. */
  swept?: string
  /** Set where an owner keeps only the latest rows. */
  latest?: LatestRows
  erased: Erasure
  grows: Growth
}

/** A table that says something of people. */
export type PeoplesTable = Table & {
  /** Contents, in words for documents and the account's owner. */
  holds: string
  /** Null where no id leads to an account. */
  path: Path | null
  /** Days (a name that ends so) or seconds after which a row goes by itself. */
  goesAfter?: NumberName
  /**
   * Where an account's export has its rows: whole in a file of the table's own or among the rows of their job, in
   * another file, or nowhere, and why.
   */
  exported: 'rows' | 'rows_of_job' | { in: string } | { not: string }
}

/** A table of the platform, the installation or the service as a whole. */
type NobodysTable = Table & {
  holds?: never
  path?: never
  goesAfter?: never
  exported?: never
}

export type TableEntry = PeoplesTable | NobodysTable

export const BY_ACCOUNT = { column: 'account_id', of: 'account' } as const satisfies Path

/** Rows that are deleted by their account, or a few jobs at a time. */
export const OF_ACCOUNT = { path: BY_ACCOUNT, erased: 'by_account' } as const
export const OF_JOB = { path: { column: 'job_id', of: 'job' }, erased: 'by_job' } as const

/** Rows that no account makes grow. */
export function bounded(bound: string): Growth {
  return { per: 'none', bound, held: [] }
}

/** Rows of which there are so many for each account, user, day or process. */
export function per(unit: Growth['per'], bound: string, ...held: NumberName[]): Growth {
  return { per: unit, bound, held }
}

/** Rows of which there are so many for each row of another table. */
export function eachOf(of: string, bound: string, ...held: NumberName[]): Growth {
  return { per: 'row', of, bound, held }
}
