/** A made-up list: a platform that has nothing else, with the pages and the header that a test wants. */
import assert from 'node:assert/strict'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import type { ListEnd, ListingAnswer } from '../../src/platform/platform.ts'
import { type Near, nearPlatform } from './near-platform.ts'

export const MADE_UP_LIST = 'PL0123456789abcdefghijklmnopqrstuv'

/** Returns how a list ended by its last page. */
export function endTold(answer: ListingAnswer): ListEnd | null {
  assert.ok(answer.kind === 'page', JSON.stringify(answer))
  assert.equal(answer.next, null)
  return answer.end ?? null
}

/** The page that a token made by the client asks for. */
export const OWN_TOKEN = -1

/** What a made-up list answers for a page: the ids of its videos, and the number of the next page or null. */
type MadeUpPage = {
  ids: string[]
  next: number | null
  areShorts?: boolean
  /** How the platform denies the page. */
  denial?: 'not_found' | 'alert'
}

/** Starts a platform with one list, whose header counts `counted` videos, or in those words. */
export async function madeUpList(
  t: TestContext,
  counted: number | string | null,
  page: (number: number) => MadeUpPage,
): Promise<Near> {
  const server = http.createServer(async (request, response) => {
    const asked = Buffer.concat((await request.toArray()) as Buffer[]).toString()
    const [, token] = /"continuation":"page(\d+)"/.exec(asked) ?? []
    const isOwn = token === undefined && asked.includes('"continuation"')
    const made = page(isOwn ? OWN_TOKEN : Number(token ?? 0))
    if (made.denial === 'not_found') response.statusCode = 404
    const body =
      made.denial !== undefined
        ? DENIALS[made.denial]
        : made.ids.length === 0 && isOwn
          ? {}
          : listReply(counted, made, !asked.includes('"continuation"'))
    response.end(JSON.stringify({ responseContext: { visitorData: 'identity' }, ...body }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  return nearPlatform(t, {}, { origin: `http://127.0.0.1:${port}` })
}

const DENIALS = {
  not_found: { error: { code: 404, message: 'Not found.', status: 'NOT_FOUND' } },
  alert: {
    alerts: [
      { alertRenderer: { type: 'ERROR', text: { simpleText: 'The playlist does not exist.' } } },
    ],
  },
}

function listReply(counted: number | string | null, page: MadeUpPage, isFirst: boolean): object {
  const { ids, next, areShorts = false } = page
  const name = areShorts ? 'reelItemRenderer' : 'playlistVideoRenderer'
  const items: object[] = ids.map((videoId) => ({ [name]: { videoId } }))
  const continuationCommand = { token: `page${next}` }
  if (next !== null)
    items.push({ continuationItemRenderer: { continuationEndpoint: { continuationCommand } } })
  const count = typeof counted === 'number' ? `${counted.toLocaleString('en')} videos` : counted
  const stats = count === null ? [] : [{ simpleText: count }]
  const sidebar = {
    playlistSidebarRenderer: { items: [{ playlistSidebarPrimaryInfoRenderer: { stats } }] },
  }
  if (!isFirst)
    return {
      onResponseReceivedActions: [{ appendContinuationItemsAction: { continuationItems: items } }],
    }
  const contents = [{ itemSectionRenderer: { contents: items } }]
  const tabRenderer = { selected: true, content: { sectionListRenderer: { contents } } }
  return { sidebar, contents: { twoColumnBrowseResultsRenderer: { tabs: [{ tabRenderer }] } } }
}

export const madeUpIds = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `video${String(from + at).padStart(6, '0')}`)
