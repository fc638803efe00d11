/** Answers that a page is given only once it came to rest without them: whatever they move then is seen to move. */
import { until } from '../support/until.ts'
import type { BrowserContext, Page, Request } from 'playwright-core'

/** What a page loads of itself before it can be said to stand. */
const PARTS = new Set(['script', 'stylesheet', 'font'])

/**
 * Longer than the half second in which what a click moves counts for nothing, and than React holds back what it shows
 * next. A page's timers ring in order, so that those of less have rung when this one does, however slow the machine.
 */
const SETTLED_MS = 550

/** Before the first page: when it stands without its answers, and when it has drawn what it was given. */
const WATCH = `{
  let excusedUntil = 0
  for (const input of ['pointerdown', 'pointerup', 'click', 'keydown', 'keyup', 'input'])
    addEventListener(input, () => { excusedUntil = performance.now() + ${SETTLED_MS} }, { capture: true, passive: true })
  const loaded = new Promise((resolve) =>
    document.readyState === 'complete' ? resolve() : addEventListener('load', resolve, { once: true }))
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  const idle = () => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 5_000 }))
  window.hasDrawn = async () => {
    await idle()
    await frame()
    await frame()
  }
  window.stands = async () => {
    await loaded
    await new Promise((resolve) => setTimeout(resolve, ${SETTLED_MS}))
    while (performance.now() < excusedUntil) await frame()
  }
}`

/**
 * Holds each answer whose address is one of `answers` until the page that asked stands without it, on any machine;
 * then they come one after the other, so that each is seen to move what it moves.
 */
export async function answerAtRest(context: BrowserContext, answers: RegExp): Promise<void> {
  await context.addInitScript(WATCH)
  const parts = new Map<Page, Set<Request>>()
  context.on('request', (request) => {
    if (PARTS.has(request.resourceType())) partsOf(parts, request)?.add(request)
  })
  for (const end of ['requestfinished', 'requestfailed'] as const)
    context.on(end as 'requestfinished', (request) => partsOf(parts, request)?.delete(request))
  let before = Promise.resolve()
  await context.route(answers, async (route) => {
    const page = pageOf(route.request())
    if (page !== null) await stands(page, () => parts.get(page)?.size ?? 0)
    const { promise, resolve } = Promise.withResolvers<void>()
    const turn = before
    before = promise
    await turn
    await hasDrawn(page)
    await route.continue().catch(() => undefined)
    await isThere(route.request())
    resolve()
  })
}

/** Also where the page is left meanwhile: nobody waits for that answer. So do the next ones. */
async function stands(page: Page, loading: () => number): Promise<void> {
  try {
    do {
      await until('the parts of the page are there', () => loading() === 0)
      await page.evaluate('window.stands()')
    } while (loading() > 0)
  } catch {
    return
  }
}

/** What the page was given so far is on the screen, and what it moved is told. */
export async function hasDrawn(page: Page | null): Promise<void> {
  await page?.evaluate('window.hasDrawn()').catch(() => undefined)
}

/** Also where the page is left meanwhile, and of a stream once it begins. */
async function isThere(request: Request): Promise<void> {
  try {
    const answer = await request.response()
    const isStream = answer?.headers()['content-type']?.startsWith('text/event-stream') ?? false
    if (!isStream) await answer?.finished()
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
