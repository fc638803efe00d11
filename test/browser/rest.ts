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

/** Never, where nothing is known of the document. */
function leftOf(visit: Visit | null): Promise<void> {
  return visit?.left ?? new Promise(() => undefined)
}

/** One document of a page: what it loads of itself, and when it is left for another one. */
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

/** What an earlier document asked for may never be told to have ended: it holds up nothing of the next one. */
function noteRequest(visits: Map<Page, Visit>, request: Request): void {
  const page = pageOf(request)
  if (page === null) return
  if (request.isNavigationRequest() && request.frame() === page.mainFrame()) {
    visits.get(page)?.leave()
    visits.set(page, openVisit())
  }
  if (PARTS.has(request.resourceType())) visitOf(visits, request)?.loading.add(request)
}

/** Also where the page is left meanwhile: nobody waits for that answer. So do the next ones. */
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

function visitOf(visits: Map<Page, Visit>, request: Request): Visit | null {
  const page = pageOf(request)
  if (page === null) return null
  const visit = visits.get(page) ?? openVisit()
  visits.set(page, visit)
  return visit
}

/** Null for the requests of a worker, and for those of a page that is about to be another one. */
function pageOf(request: Request): Page | null {
  try {
    return request.frame().page()
  } catch {
    return null
  }
}
