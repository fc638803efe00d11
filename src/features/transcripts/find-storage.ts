/** How a process stores new transcripts. */
import type { Db } from '../../store/database.ts'
import { hasMembers } from '../../store/transcripts.ts'
import type { TranscriptStorage } from '../../model/transcripts/transcript-forms.ts'

/**
 * `auto`: as bodies, except where members are stored already: processes of a release that cannot read bodies may then
 * be there, during an upgrade or after a way back, and to them such a transcript would be a row without its text.
 */
export async function findStorage(
  db: Db,
  setting: TranscriptStorage | 'auto',
): Promise<TranscriptStorage> {
  if (setting !== 'auto') return setting
  return (await hasMembers(db)) ? 'members' : 'body'
}
