/** Which channel the path of a page belongs to: asked once, then known to all accounts for a while. */
import { LIMITS } from '../../kit/config/config.ts'
import type { ChannelAnswer } from '../../platform/platform.ts'
import type { Db } from '../../store/database.ts'
import { findChannelName, keepChannelName } from '../../store/channel-names.ts'

const MISSING_NAME_SECONDS = 600

const LIFE = { foundSeconds: LIMITS.channelNameSeconds, missingSeconds: MISSING_NAME_SECONDS }

/** What the platform said lately of the path; null where nobody asked. */
export async function readChannelName(db: Db, path: string): Promise<ChannelAnswer | null> {
  const known = await findChannelName(db, path, LIFE)
  if (known === null) return null
  if (known.channelId === null)
    return { kind: 'missing', text: 'There is no channel at this address.' }
  return { kind: 'found', channelId: known.channelId }
}

/** Remembers what is known for certain; an obstacle says nothing about the channel. */
export async function rememberChannelName(
  db: Db,
  path: string,
  answer: ChannelAnswer,
): Promise<void> {
  if (answer.kind === 'found') await keepChannelName(db, path, answer)
  if (answer.kind === 'missing') await keepChannelName(db, path, { channelId: null })
}
