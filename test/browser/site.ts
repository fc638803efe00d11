/** The built website on the real service, with a browser in front of it and stand-ins behind it. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import AxeSource from 'axe-core'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type CDPSession,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core'
import { buildWeb } from '../../tools/scripts/build-web.ts'
import { startMailBox } from '../account/mail-box.ts'
import { PASSWORD } from '../account/visitor.ts'
import type { TestScope } from '../support/database.ts'
import { outsideOfTests, PROCESS } from '../support/process-scope.ts'
import { testService } from '../support/service.ts'
import { startStripeStandIn } from '../support/stripe-stand-in.ts'
import { CHROMIUM } from './chromium.ts'
import { AXE_RULES, DESK, PHONE, SHIFT_MAX } from './measures.ts'

/** The folder of the pictures that are drawn. */
export const OUT = path.join(import.meta.dirname, 'out')
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
]

/** Stills of videos come from the platform: here each is replaced by the same plain one. */
const STILLS = /^https:\/\/i\.ytimg\.com\/vi\/[\w-]{11}\/mqdefault\.jpg$/
const STILL = `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="180"><rect width="320" height="180" fill="#7a6a58"/><path d="m130 60 70 30-70 30z" fill="#fff"/></svg>`

/** The words with which the browser's tests are skipped, or false where there is one. */
export const noBrowser = fs.existsSync(CHROMIUM)
  ? false
  : 'chromium is not installed, and CHROMIUM names no other'

export { DESK, PHONE, SHIFT_MAX }

/** Starts everything that a visit needs; closed with `scope`. */
export async function startSite(
  scope: TestScope,
  options: { latencyMs?: number; env?: Record<string, string> } = {},
) {
  assert.ok(buildWeb(), 'the website can be built')
  fs.mkdirSync(OUT, { recursive: true })
  const stripe = await startStripeStandIn()
  const mailBox = await startMailBox(scope)
  const running = await testService(scope, {
    env: {
      ...stripe.env,
      ...mailBox.env,
      WELCOME_CREDIT_USD: '2',
      MAX_ACTIVE_JOBS: '40',
      ...options.env,
    },
    emulator: { latencyMs: options.latencyMs ?? 0 },
  })
  stripe.webhookUrl = `${running.address}/webhooks/stripe`
  const browser = await launchBrowser(scope)
  scope.after(() => stripe.close())
  const origin = running.address.replace('127.0.0.1', 'localhost')
  return { ...running, stripe, mailBox, browser, origin }
}

let launching: Promise<Browser> | null = null

/**
 * Returns the browser of this process, which all its files use one after the other; what was opened in it is closed
 * with `scope`.
 */
export async function launchBrowser(scope: TestScope): Promise<Browser> {
  launching ??= outsideOfTests(async () => {
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS })
    PROCESS.after(() => browser.close())
    return browser
  })
  // Registered before the wait: after it, the end would belong to the process, in which the browser was launched.
  scope.after(async () => {
    const browser = await launching
    await Promise.all(browser?.contexts().map((context) => context.close()) ?? [])
  })
  return launching
}

export type Site = Awaited<ReturnType<typeof startSite>>

/** Opens a new browser window without any memory; every error that it logs is collected. */
export async function openWindow(browser: Browser, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({
    viewport: DESK,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    ...options,
  })
  context.setDefaultTimeout(60_000)
  await context.route(STILLS, (route) =>
    route.fulfill({ contentType: 'image/svg+xml', body: STILL }),
  )
  const page = await context.newPage()
  const complaints: string[] = []
  page.on(
    'console',
    (message) =>
      message.type() === 'error' && complaints.push(`${message.text()} ${message.location().url}`),
  )
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('request', (request) => {
    if (STILLS.test(request.url())) return
    if (!/^(?:https?:\/\/(?:localhost|127\.0\.0\.1)[:/]|data:|blob:)/.test(request.url()))
      complaints.push(`asked another host: ${request.url()}`)
  })
  return { context, page, complaints }
}

/** Signs up and opens the link of the mail. */
export async function signUpInBrowser(site: Site, page: Page, email: string): Promise<void> {
  await page.goto(`${site.origin}/sign-up`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Create the account' }).click()
  await page.getByText('Check your email').waitFor()
  await page.goto((await site.mailBox.newestTo(email)).link ?? '')
  await page.waitForURL(`${site.origin}/library`)
  await page.getByText('Three things to try').waitFor() // a page that begins takes the focus, which closes menus
}

/** Opens a part of the account's settings by the menu of the header; the first, of signing in, where none is named. */
export async function goToAccount(page: Page, part: string | null = null): Promise<void> {
  await page.getByLabel('Account menu').click()
  await page.getByRole('link', { name: 'Account', exact: true }).click()
  if (part === null) return
  const ways = page.getByRole('navigation', { name: 'Account' })
  await ways.getByRole('link', { name: part, exact: true }).click()
  await ways.locator('[aria-current=page]', { hasText: part }).waitFor()
}

/** Starts a job from the new-job page and waits for its end. */
export async function runJobOnPage(
  site: Site,
  page: Page,
  lines: string,
  maxVideos = 500,
): Promise<string> {
  await page.goto(`${site.origin}/new`)
  await page.getByLabel('What do you want to read?').fill(lines)
  await page.getByLabel('Maximum number of videos').fill(String(maxVideos))
  await page.getByRole('button', { name: 'Start the job' }).click()
  await page.waitForURL(/\/jobs\/[\w-]+$/)
  await page.getByRole('button', { name: 'Run again' }).waitFor({ timeout: 60_000 })
  return page.url().split('/').at(-1) ?? ''
}

/** Rule that touch targets measure 24 px; axe leaves it out unless asked. */
const TARGETS = { 'target-size': { enabled: true } }
/** On a page of other colours only rules about colours are checked again; at another width, all others. */
const ASKED = {
  all: { runOnly: AXE_RULES, rules: TARGETS },
  shapes: { runOnly: AXE_RULES, rules: { ...TARGETS, 'color-contrast': { enabled: false } } },
  colours: { runOnly: { type: 'rule', values: ['color-contrast', 'target-size'] } },
}

/** Returns axe's serious and critical findings, which keep people out. */
export async function seriousFaults(
  page: Page,
  ask: keyof typeof ASKED = 'all',
): Promise<string[]> {
  // The page's policy allows no inline script; the debugger's evaluation is exempt from it.
  await page.evaluate(AxeSource.source)
  // A colour on its way to another one is neither: what changes is taken to its end first.
  await page.evaluate(`document.getAnimations()
    .filter((one) => one.effect.getComputedTiming().endTime < Infinity)
    .forEach((one) => one.finish())`)
  const violations = await page.evaluate(async (options) => {
    const { axe } = globalThis as unknown as {
      axe: { run(options: object): Promise<{ violations: any[] }> }
    }
    return (await axe.run(options)).violations
  }, ASKED[ask])
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, help, nodes }) =>
        `${id}: ${help}: ${nodes
          .map((node: any) => `${node.target}`)
          .slice(0, 4)
          .join(' | ')}`,
    )
}

/** Most bytes of scripts that a page of the app may load, compressed. */
export const SCRIPT_BYTES_MAX = 150 * 1024

/** Counts from the first page on what moves on each page, and which parts do. */
export async function watchShifts(context: Pick<BrowserContext, 'addInitScript'>): Promise<void> {
  await context.addInitScript(`
    window.shift = { sum: 0, parts: [] }
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries()) {
        if (hadRecentInput) continue
        window.shift.sum += value
        const parts = sources.map(({ node }) => (node?.outerHTML ?? node?.textContent ?? '').slice(0, 120))
        window.shift.parts.push(value.toFixed(3) + ' ' + parts.join(' | '))
      }
    }).observe({ type: 'layout-shift', buffered: true })`)
}

/** Returns how far the page has moved since it was opened, and which parts did. */
export async function shiftOf(page: Page): Promise<{ sum: number; parts: string[] }> {
  return (await page.evaluate('window.shift')) as { sum: number; parts: string[] }
}

/** Draws a picture for people, where PICTURES=1 asks for it. */
export async function picture(page: Page, name: string, isWhole = true): Promise<void> {
  if (process.env['PICTURES'] !== '1') return
  await page.screenshot({
    path: path.join(OUT, `${name}.png`),
    fullPage: isWhole,
    animations: 'disabled',
  })
}

/** Returns whether the page scrolls sideways, which no width may cause. */
export function isTooWide(page: Page): Promise<unknown> {
  return page.evaluate(
    'document.documentElement.scrollWidth > document.documentElement.clientWidth',
  )
}

/** Returns where an element is once it stands still for longer than the reader takes to bring it to its place. */
export async function boxAtRest(element: Locator) {
  await element.evaluate(async (shown: any, frames) => {
    for (let [still, before] = [0, NaN]; still < frames;) {
      await new Promise(shown.ownerDocument.defaultView.requestAnimationFrame)
      const { top } = shown.getBoundingClientRect()
      still = top === before ? still + 1 : 0
      before = top
    }
  }, FRAMES_AT_REST)
  return (await element.boundingBox())!
}

const FRAMES_AT_REST = 10

/** A spot of an element, in pixels from its left and upper edge. */
type Spot = [element: Locator, x: number, y: number]

/** Selects text with the mouse, once it stands still. */
export async function selectText(page: Page, [from, x, y]: Spot, [to, toX, toY]: Spot) {
  const first = await boxAtRest(from)
  const last = await boxAtRest(to)
  await page.mouse.move(first.x + x, first.y + y)
  await page.mouse.down()
  await page.mouse.move(last.x + toX, last.y + toY, { steps: 4 })
  await page.mouse.up()
}

export type { BrowserContext, CDPSession, Page }
