/** A stand-in for the platform's player, which calls outside: it answers a greeting and goes where it is told. */
import { until } from '../support/until.ts'
import type { BrowserContext, Page } from './site.ts'

const PLAYER = `<script>
  let currentTime = 0
  const tell = () => parent.postMessage(JSON.stringify({ event: 'infoDelivery', info: { currentTime } }), '*')
  addEventListener('message', ({ data }) => {
    const { event, func, args } = JSON.parse(data)
    if (func === 'seekTo') currentTime = args[0]
    if (event === 'listening' || func === 'seekTo') tell()
  })
</script>`

/** Answers for the player in every page; `asked` gets the page that named itself with each request. */
export async function standInForPlayer(
  context: BrowserContext,
  asked: string[] = [],
): Promise<void> {
  await context.route(/^https:\/\/www\.youtube-nocookie\.com\/embed\//, (route) => {
    asked.push(route.request().headers()['referer'] ?? '')
    return route.fulfill({ contentType: 'text/html', body: PLAYER })
  })
}

const frameOf = (page: Page) => page.frames().find((frame) => frame.url().includes('/embed/'))

/** Lets the player say that it is at this instant of the video, once it is loaded. */
export async function playerIsAt(page: Page, ms: number): Promise<void> {
  await until('the player is loaded', async () => {
    return (await frameOf(page)?.evaluate(`typeof tell === 'function'`)) === true
  })
  await frameOf(page)?.evaluate(`currentTime = ${ms / 1000}; tell()`)
}

/** Returns where the player is, in milliseconds. */
export async function playedMs(page: Page): Promise<number> {
  return Math.round(Number(await frameOf(page)?.evaluate('currentTime')) * 1000)
}
