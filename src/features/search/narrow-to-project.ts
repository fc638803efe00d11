/** A search within a project, which the index does not know: its texts are looked up before the index is asked. */
import type pg from 'pg'
import { findProjectTexts } from '../../store/project-videos.ts'
import type { IndexFilter } from './messages.ts'

/** Returns the question with the texts of the account's project to which it is narrowed, where it is to one. */
export async function narrowToProject<Asked extends { filter: IndexFilter }>(
  pool: pg.Pool,
  accountId: string,
  question: Asked,
): Promise<Asked> {
  const { channel } = question.filter
  if (channel === null) return question
  const texts = await findProjectTexts(pool, { accountId, projectId: channel })
  return texts === null ? question : { ...question, filter: { ...question.filter, texts } }
}
