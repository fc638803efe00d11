/** A search within a project: its texts are looked up before the index is asked. */
import type pg from 'pg'
import { isProjectId } from '../../model/library/project.ts'
import { listProjectTexts } from '../../store/project-videos.ts'
import type { IndexFilter } from './messages.ts'

/** Returns the question with the texts of the project to which it is narrowed: none where it is another account's. */
export async function narrowToProject<Asked extends { filter: IndexFilter }>(
  pool: pg.Pool,
  accountId: string,
  question: Asked,
): Promise<Asked> {
  const { channel } = question.filter
  if (channel === null || !isProjectId(channel)) return question
  const texts = await listProjectTexts(pool, { accountId, projectId: channel })
  return { ...question, filter: { ...question.filter, texts } }
}
