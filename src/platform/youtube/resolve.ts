/** Resolving: turns the address of a channel's page into the channel's id. */
import { PLATFORM_HOST } from './innertube.ts'
import { textAt } from './json.ts'
import { type Obstructed, obstructed } from './obstacle.ts'
import type { Session } from './session.ts'

export type Resolved = { kind: 'channel'; channelId: string } | { kind: 'missing' } | Obstructed

const HOPS_MAX = 3

/**
 * Resolves `path`, written as in a source: `/@handle`, `/c/name`, `/user/name`, `/name`. Some handles answer with the
 * old address of the channel (2026-09), which is followed.
 */
export async function resolveChannel(session: Session, path: string): Promise<Resolved> {
  const client = session.listClient
  let url = new URL(path, PLATFORM_HOST)
  for (let hop = 0; hop <= HOPS_MAX; hop += 1) {
    const call = { name: 'resolve_url', client, body: { url: url.href }, fields: null } as const
    const answer = await session.json(call)
    if (answer.kind === 'obstructed') {
      return answer.obstacle.said === 'NOT_FOUND' ? { kind: 'missing' } : answer
    }
    const channelId = textAt(answer.value, 'endpoint', 'browseEndpoint', 'browseId')
    if (channelId?.startsWith('UC') === true) return { kind: 'channel', channelId }
    const next = textAt(answer.value, 'endpoint', 'urlEndpoint', 'url')
    if (next === null || !URL.canParse(next, PLATFORM_HOST)) {
      const isOther = textAt(
        answer.value,
        'endpoint',
        'commandMetadata',
        'webCommandMetadata',
        'url',
      )
      return isOther === null ? obstructed('unknown') : { kind: 'missing' }
    }
    url = new URL(next, PLATFORM_HOST)
  }
  return { kind: 'missing' }
}
