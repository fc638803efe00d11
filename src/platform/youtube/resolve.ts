/** Resolving: where an address of the platform leads, a channel's page or the video that is on air. */
import type { ListPage, Missing } from '../platform.ts'
import { requestJson } from './calls.ts'
import { PLATFORM_HOST } from './innertube.ts'
import { at, textAt } from './json.ts'
import { type NamedObstacle, obstacle, type Obstructed, obstructed } from './obstacle.ts'
import type { Answer } from './reply.ts'
import type { Session } from './session.ts'
import { askInTurn } from './turns.ts'

const HOPS_MAX = 3
const NO_CHANNEL: Missing = { kind: 'missing', text: 'There is no channel at this address.' }

/**
 * Asks where an address leads; a path is one of the platform's own site. `isUseful` tells whether an endpoint is one
 * that the caller can follow; otherwise another client is asked.
 */
export async function resolveUrl(
  session: Session,
  address: string,
  isUseful: (endpoint: unknown) => boolean,
): Promise<Answer | Missing> {
  const { href: url } = new URL(address, PLATFORM_HOST)
  const judge = (value: unknown): NamedObstacle | null =>
    at(value, 'endpoint') === undefined ? obstacle('unknown') : null
  const answer = await askInTurn<Answer>(session, 'resolve_url', {
    ask: (client) => requestJson(session, { name: 'resolve_url', client, body: { url }, judge }),
    isDenial: (each) => each.kind === 'json' && !isUseful(at(each.value, 'endpoint')),
  })
  const isNone = answer.kind === 'obstructed' && answer.obstacle.said === 'NOT_FOUND'
  return isNone ? NO_CHANNEL : answer
}

/**
 * Finds the channel that a source names: by its id, or by the path of its page, such as `/@handle`, `/c/name`,
 * `/user/name` or `/name`. Some handles answer with the old address of the channel (2026-09), which is followed.
 */
export async function resolveChannel(
  session: Session,
  name: string,
): Promise<{ kind: 'found'; channelId: string } | Missing | Obstructed> {
  if (name.startsWith('UC')) return { kind: 'found', channelId: name }
  let address = name
  for (let hop = 0; hop <= HOPS_MAX; hop += 1) {
    const answer = await resolveUrl(
      session,
      address,
      (to) => channelIn(to) !== null || hopIn(to) !== null,
    )
    if (answer.kind !== 'json') return answer
    const endpoint = at(answer.value, 'endpoint')
    const channelId = channelIn(endpoint)
    if (channelId !== null) return { kind: 'found', channelId }
    const next = hopIn(endpoint)
    if (next === null) {
      const other = textAt(endpoint, 'commandMetadata', 'webCommandMetadata', 'url')
      return other === null ? obstructed('unknown') : NO_CHANNEL
    }
    address = next
  }
  return NO_CHANNEL
}

function channelIn(endpoint: unknown): string | null {
  const channelId = textAt(endpoint, 'browseEndpoint', 'browseId')
  return channelId?.startsWith('UC') === true ? channelId : null
}

function hopIn(endpoint: unknown): string | null {
  const next = textAt(endpoint, 'urlEndpoint', 'url')
  return next !== null && URL.canParse(next, PLATFORM_HOST) ? next : null
}

/**
 * Returns a page of the video on air or of none. The platform leads `/channel/UC…/live` to the current stream, where
 * none is on air to an announced one, and otherwise to the channel itself; never to a past stream.
 */
export async function askOnAir(
  session: Session,
  channelId: string,
): Promise<ListPage | Missing | Obstructed> {
  const videoIn = (endpoint: unknown): string | null => textAt(endpoint, 'watchEndpoint', 'videoId')
  const isKnown = (endpoint: unknown): boolean =>
    videoIn(endpoint) !== null || textAt(endpoint, 'browseEndpoint', 'browseId') !== null
  const answer = await resolveUrl(session, `/channel/${channelId}/live`, isKnown)
  if (answer.kind !== 'json') return answer
  const endpoint = at(answer.value, 'endpoint')
  if (!isKnown(endpoint)) return obstructed('unknown')
  const videoId = videoIn(endpoint)
  const videos = videoId === null ? [] : [{ ...UNKNOWN, videoId }]
  return { kind: 'page', videos, next: null, isEstimated: false, about: null }
}

const UNKNOWN = { title: null, channelName: null, publishedText: null, isMembersOnly: false }
