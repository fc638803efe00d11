/**
 * What this release cannot bring forward: databases and backups of releases before 2.0.0, and texts as 1.0.0 stored
 * them, which the workers of 2.0.0 rewrite.
 */
import type pg from 'pg'

/** Says what to do. */
export const TOO_OLD =
  'a release before 2.0.0 wrote this, or some of its texts: start release 2.0.0 first (which restores such a backup, ' +
  'too), wait until its workers have rewritten all texts, which leaves the table transcript_form empty, and start ' +
  'this release then; texts that cannot be read are named in the log of 2.0.0: delete their rows in that table'

/** The last migration of 2.0.0. */
const LAST_OF_2 = '0068-what-requests-came-with.sql'
/** Says of a database that no text of 1.0.0 is left. */
const TEXTS_REWRITTEN = '0075-no-texts-of-1.sql'

type Applied = readonly { name: string }[]

/** Whether 2.0.0 was never started on what was in use with these migrations. */
export function isBefore2(applied: Applied): boolean {
  return !applied.some(({ name }) => name === LAST_OF_2)
}

/**
 * Whether a database is of a release before 2.0.0, which alone booked in the table `migration`: one that only lacks
 * migrations had its first start interrupted.
 */
export async function isDatabaseBefore2(client: pg.ClientBase, applied: Applied): Promise<boolean> {
  if (!isBefore2(applied)) return false
  const { rows } = await client.query(`select from migration where sha256 <> '' limit 1`)
  return rows.length > 0
}

/** Whether a text of 1.0.0 is left in a database that has these migrations. */
export async function hasOldTexts(client: pg.ClientBase, applied: Applied): Promise<boolean> {
  if (isBefore2(applied) || applied.some(({ name }) => name === TEXTS_REWRITTEN)) return false
  const { rows } = await client.query<{ isLeft: boolean }>(
    'select exists (select from transcript_form) as "isLeft"',
  )
  return rows[0]?.isLeft === true
}
