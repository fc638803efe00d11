/**
 * Pages as people see them, in light, dark and on a phone, and what a program can check on each: nothing serious for
 * axe, no sideways scrolling at any width, no shift, few scripts, no complaint. The figures are printed. With
 * PICTURES=1 also pictures for people, in test/browser/out/. VIEWS is a pattern of the names of the views to look at.
 */
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { OTHER_WIDTHS } from './measures.ts'
import { answerAtRest, hasDrawn } from './rest.ts'
import {
  type BrowserContext,
  DESK,
  isTooWide,
  openWindow,
  type Page,
  PHONE,
  picture,
  SCRIPT_BYTES_MAX,
  seriousFaults,
  SHIFT_MAX,
  shiftOf,
  type Site,
  watchShifts,
} from './site.ts'
import type { View } from './windows.ts'

const LOOKS = {
  light: { viewport: DESK, colorScheme: 'light' },
  dark: { viewport: DESK, colorScheme: 'dark' },
  phone: {
    viewport: PHONE,
    colorScheme: 'light',
    hasTouch: true,
    isMobile: true,
    deviceScaleFactor: 2,
  },
} as const

type Look = keyof typeof LOOKS
type Asked = Parameters<typeof seriousFaults>[1]

/** One walk through all views: the look of each by its position, and which rules axe checks. */
export type Walk = { lookOf(at: number): Look; axe: Asked }

const TURNS: readonly Look[] = ['light', 'dark', 'phone']

/** Each view in one look, the looks in turn, with all rules of axe. */
export const BY_TURNS: readonly Walk[] = [
  { lookOf: (at) => TURNS[at % TURNS.length] ?? 'light', axe: 'all' },
]

/** All views in light, then in the other looks: axe has to check only what colours or width can change. */
export const EVERY_LOOK: readonly Walk[] = [
  { lookOf: () => 'light', axe: 'all' },
  { lookOf: () => 'dark', axe: 'colours' },
  { lookOf: () => 'phone', axe: 'shapes' },
]

const ANSWERS = /^https?:\/\/[^/]+\/(?:api\/v1|account)\/(?!.*\/events$)/

/** Views in which the reader's own act may move the rest aside; other views show how these pages open. */
const ASKED_FOR = /^(?:sign-in|new|job)-|^trial$/

/** Bars in place of content that is loading. */
const LOADING = '[role=status] > .animate-pulse'

/** Views whose pictures show one screen; the rest is more of the same. */
const ONE_SCREEN = new Set([
  'reader',
  'reader-plain',
  'reader-actions',
  'reader-tracks',
  'reader-beside',
  'job',
  'job-running',
  'job-cancelled',
  'job-run-again',
  'reference',
  'reference-operation',
])

const WANTED = new RegExp(process.env['VIEWS'] ?? '')

type State = Awaited<ReturnType<BrowserContext['storageState']>>

/** Measured figures: by view, the shift in each look and the scripts, compressed. */
type Figures = Map<string, { shifts: string[]; scripts: number }>

/** Looks at the views, and prints the figures. */
export async function lookAt(
  t: TestContext,
  site: Site,
  { views, walks, state }: { views: View[]; walks: readonly Walk[]; state?: State },
): Promise<void> {
  const figures: Figures = new Map()
  // The job of one view holds the whole balance until another view cancels it.
  const isRunning = views.some(({ name }) => name === 'job-running' && WANTED.test(name))
  const wanted = views.filter(
    ({ name }) => WANTED.test(name) || (isRunning && name === 'job-cancelled'),
  )
  for (const walk of walks) await walkThrough(site, { views: wanted, walk, state }, figures)
  for (const [name, { shifts, scripts }] of figures)
    t.diagnostic(
      `${name}: shift ${shifts.join(', ')}, ` +
        `scripts ${(scripts / 1024).toFixed(1)} KB, nothing serious for axe`,
    )
}

type Round = { views: View[]; walk: Walk; state: State | undefined }

async function walkThrough(
  site: Site,
  { views, walk, state }: Round,
  figures: Figures,
): Promise<void> {
  const windows = new Map<Look, ReturnType<typeof openLook>>()
  const faults: string[] = []
  for (const [at, view] of views.entries()) {
    const look = walk.lookOf(at)
    const opening = windows.get(look) ?? openLook(site, look, state)
    windows.set(look, opening)
    const { page } = await opening
    await brings(page, site, { view, look })
    await picture(page, `${view.name}.${look}`, !ONE_SCREEN.has(view.name))
    const seen = await measured(page, { name: view.name, look, axe: walk.axe })
    const shifts = figures.get(view.name)?.shifts ?? []
    shifts.push(`${seen.shift.toFixed(3)} (${look})`)
    figures.set(view.name, { shifts, scripts: seen.scripts })
    faults.push(...seen.faults.map((fault) => `${view.name}.${look}: ${fault}`))
  }
  for (const { context, complaints } of await Promise.all(windows.values())) {
    await context.close()
    faults.push(...complaints.filter((text) => !/status of (?:40[0-9]|429)/.test(text)))
  }
  assert.deepEqual(faults, [])
}

/** Opens a page that is seen before its answers come, on any machine, so that what they move is seen, too. */
async function openLook(site: Site, look: Look, state: State | undefined) {
  const begun = state === undefined ? {} : { storageState: state }
  const opened = await openWindow(site.browser, { ...LOOKS[look], ...begun })
  await watchShifts(opened.context)
  await answerAtRest(opened.context, ANSWERS)
  return opened
}

async function brings(
  page: Page,
  site: Site,
  { view, look }: { view: View; look: Look },
): Promise<void> {
  await page.goto(`${site.origin}${view.path}`)
  await view.ready(page, site).catch(async (cause: unknown) => {
    const shown = await page.locator('body').innerText()
    throw new Error(`${view.name}.${look} shows: ${shown.slice(0, 1_500)}`, { cause })
  })
  await page.locator(LOADING).first().waitFor({ state: 'detached' })
  await page.evaluate('document.fonts.ready.then(() => true)')
  await hasDrawn(page)
}

async function measured(
  page: Page,
  { name, look, axe }: { name: string; look: Look; axe: Asked },
): Promise<{ shift: number; scripts: number; faults: string[] }> {
  const { sum, parts } = await shiftOf(page)
  const faults = await seriousFaults(page, axe)
  if (sum > SHIFT_MAX && !ASKED_FOR.test(name)) faults.push(`shifts by ${sum}: ${parts.join('; ')}`)
  const scripts = (await page.evaluate(
    `performance.getEntriesByType('resource').filter(({ name }) => /\\.js$/.test(name))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`,
  )) as number
  if (scripts > SCRIPT_BYTES_MAX) faults.push(`${scripts} bytes of scripts`)
  if (await isTooWide(page)) faults.push('wider than the screen')
  if (look !== 'phone') {
    for (const width of OTHER_WIDTHS) {
      await page.setViewportSize({ ...DESK, width })
      if (await isTooWide(page)) faults.push(`wider than ${width} px`)
      if (look === 'light') await picture(page, `${name}.${width}`, !ONE_SCREEN.has(name))
    }
    await page.setViewportSize(DESK)
  }
  return { shift: sum, scripts, faults }
}
