/** Answers that a page is given only once it came to rest without them: whatever they move then is seen to move. */
import { until } from '../support/until.ts'
import type { BrowserContext, Page, Request } from 'playwright-core'

/** What a page loads of itself before it can be said to stand. */
const PARTS = new Set(['script', 'stylesheet', 'font'])

/** Longer than the half second in which what a click moves counts for nothing. */
const EXCUSED_MS = 550

/** Before the first page: knows from when on no input excuses a shift, and when the page has drawn all that it can. */
const WATCH = `{
  let excusedUntil = 0
  for (const input of ['pointerdown', 'pointerup', 'click', 'keydown', 'keyup', 'input'])
    addEventListener(input, () => { excusedUntil = performance.now() + ${EXCUSED_MS} }, { capture: true, passive: true })
  const loaded = new Promise((resolve) =>
    document.readyState === 'complete' ? resolve() : addEventListener('load', resolve, { once: true }))
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  const idle = () => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 5_000 }))
  window.comesToRest = async () => {
    await loaded
    while (performance.now() < excusedUntil) await frame()
    await idle()
    await frame()
    await frame()
  }
}`

/**
 * Holds each answer whose address is one of `answers` until the page that asked has drawn what it draws without it,
 * however quick or slow the machine.
 */
export async function answerAtRest(context: BrowserContext, answers: RegExp): Promise<void> {
  await context.addInitScript(WATCH)
  const parts = new Map<Page, Set<Request>>()
  context.on('request', (request) => {
    if (PARTS.has(request.resourceType())) partsOf(parts, request)?.add(request)
  })
  for (const end of ['requestfinished', 'requestfailed'] as const)
    context.on(end as 'requestfinished', (request) => partsOf(parts, request)?.delete(request))
  await context.route(answers, async (route) => {
    const page = pageOf(route.request())
    if (page !== null) await comesToRest(page, () => parts.get(page)?.size ?? 0)
    await route.fallback().catch(() => undefined)
  })
}

/** Also where the page is left meanwhile: nobody waits for that answer. */
async function comesToRest(page: Page, loading: () => number): Promise<void> {
  try {
    do {
      await until('the parts of the page are there', () => loading() === 0)
      await page.evaluate('window.comesToRest()')
    } while (loading() > 0)
  } catch {
    return
  }
}

function partsOf(parts: Map<Page, Set<Request>>, request: Request): Set<Request> | undefined {
  const page = pageOf(request)
  if (page === null) return undefined
  const own = parts.get(page) ?? new Set()
  parts.set(page, own)
  return own
}

/** Null for the requests of a worker, and for those of a page that is about to be another one. */
function pageOf(request: Request): Page | null {
  try {
    return request.frame().page()
  } catch {
    return null
  }
}
