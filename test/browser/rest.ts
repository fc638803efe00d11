/**
 * Gives a page its answers only once it has come to rest without them, so that everything they move is seen to move.
 */
import { until } from '../support/until.ts'
import type { BrowserContext, Page, Request } from 'playwright-core'

/** Kinds of requests that must end before a page is at rest. */
const PARTS = new Set(['script', 'stylesheet', 'font'])

/**
 * Milliseconds above the half second in which moves after a click do not count, and above the time for which React
 * holds back what it shows next. A page's timers fire in order: shorter ones have fired when this one does, however
 * slow the machine.
 */
const SETTLED_MS = 550

/**
 * Script from the first page on: tells when the page is at rest without its answers, and when it has drawn the ones it
 * was given.
 */
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
 * Holds each answer whose address matches `answers` until the page that asked is at rest without it, on any machine.
 * The answers then come one after the other, so that each is seen to move what it moves.
 */
export async function answerAtRest(context: BrowserContext, answers: RegExp): Promise<void> {
  await context.addInitScript(WATCH)
  const visits = new Map<Page, Visit>()
  context.on('request', (request) => noteRequest(visits, request))
  for (const end of ['requestfinished', 'requestfailed'] as const)
    context.on(end as 'requestfinished', (request) =>
      visitOf(visits, request)?.loading.delete(request),
    )
  let before = Promise.resolve()
  await context.route(answers, async (route) => {
    const page = pageOf(route.request())
    const visit = visitOf(visits, route.request())
    if (page !== null && visit !== null) await stands(page, visit)
    const { promise, resolve } = Promise.withResolvers<void>()
    const turn = before
    before = promise
    await turn
    await Promise.race([hasDrawn(page), leftOf(visit)])
    await route.continue().catch(() => undefined)
    await Promise.race([isThere(route.request()), leftOf(visit)])
    resolve()
  })
}

/** Never resolves where the document is unknown. */
function leftOf(visit: Visit | null): Promise<void> {
  return visit?.left ?? new Promise(() => undefined)
}

/** One document of a page: the parts it is loading, and when it is left for another one. */
type Visit = { loading: Set<Request>; isLeft: boolean; left: Promise<void>; leave(): void }

function openVisit(): Visit {
  const { promise: left, resolve } = Promise.withResolvers<void>()
  const visit: Visit = {
    loading: new Set(),
    isLeft: false,
    left,
    leave() {
      visit.isLeft = true
      resolve()
    },
  }
  return visit
}

/**
 * Notes a request. Requests of an earlier document may never be reported as ended, and must not hold up the next
 * document.
 */
function noteRequest(visits: Map<Page, Visit>, request: Request): void {
  const page = pageOf(request)
  if (page === null) return
  if (request.isNavigationRequest() && request.frame() === page.mainFrame()) {
    visits.get(page)?.leave()
    visits.set(page, openVisit())
  }
  if (PARTS.has(request.resourceType())) visitOf(visits, request)?.loading.add(request)
}

/** Resolves when the page is at rest, or is left, since an answer is then of no use. */
async function stands(page: Page, visit: Visit): Promise<void> {
  const isLoaded = (): boolean => visit.isLeft || visit.loading.size === 0
  try {
    do {
      await until('the parts of the page are there', isLoaded)
      await Promise.race([page.evaluate('window.stands()'), visit.left])
    } while (!isLoaded())
  } catch {
    return
  }
}

/** Resolves when the page has drawn what it was given, and the moves are reported. */
export async function hasDrawn(page: Page | null): Promise<void> {
  await page?.evaluate('window.hasDrawn()').catch(() => undefined)
}

/** Resolves when an answer is complete, when a stream begins, or when the page is left. */
async function isThere(request: Request): Promise<void> {
  try {
    const answer = await request.response()
    const isStream = answer?.headers()['content-type']?.startsWith('text/event-stream') ?? false
    if (!isStream) await answer?.finished()
  } catch {
    return
  }
}

function visitOf(visits: Map<Page, Visit>, request: Request): Visit | null {
  const page = pageOf(request)
  if (page === null) return null
  const visit = visits.get(page) ?? openVisit()
  visits.set(page, visit)
  return visit
}

/** Returns null for the requests of a worker, and of a page that is about to be replaced. */
function pageOf(request: Request): Page | null {
  try {
    return request.frame().page()
  } catch {
    return null
  }
}
