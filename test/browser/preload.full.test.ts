/** Hovering a link loads its page ahead, and does nothing else: readers are not led away from what they type. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import {
  noBrowser,
  openWindow,
  type Page,
  signUpInBrowser,
  startSite,
  goToAccount,
} from './site.ts'
import { LEGAL_PAGES, OUTSIDE } from './views.ts'
import type { View } from './windows.ts'

/** Four times the milliseconds after which a hovered link loads its page. */
const LOOKED_MS = 200
/** Milliseconds between two checks of whether the server is back. */
const SERVER_LOOK_MS = 3_000
const TYPED = 'half a sentence'
/** Fields in which people type. */
const FIELDS = 'input:is([type=text], [type=search], [type=email], [type=password]), textarea'

const legal = fs.mkdtempSync(path.join(os.tmpdir(), 'preload-legal-'))
after(() => fs.rmSync(legal, { recursive: true }))
for (const name of LEGAL_PAGES) fs.writeFileSync(path.join(legal, `${name}.md`), `# ${name}\n`)
const site = noBrowser === false ? await startSite({ after }, { env: { LEGAL_DIR: legal } }) : null
const skip = noBrowser

/** Script from the first page on: each page notes every address that it is about to be left for. */
const NOTE_LEAVING = `window.left = []
  navigation.addEventListener('navigate', ({ destination }) => window.left.push(destination.url))`

/** Script for a page that is ready: notes what is loaded ahead, which pages written by the server never do. */
const NOTE_LOADING = `(() => {
  window.left = []
  window.ahead = []
  const router = window.__TSR_ROUTER__
  if (router === undefined) return
  const { preloadRoute } = router
  router.preloadRoute = (options) => {
    const done = preloadRoute(options)
    window.ahead.push({ href: router.buildLocation(options).href, done })
    return done
  }
})()`

/**
 * Returns what was loaded ahead since the last call, once all of it is done, and how often the page was about to be
 * left.
 */
const WHAT_CAME = `(async () => {
  const ahead = window.ahead.splice(0)
  await Promise.allSettled(ahead.map(({ done }) => done))
  return { ahead: ahead.map(({ href }) => href), left: window.left }
})()`

const GESTURES: Record<string, (link: ReturnType<Page['locator']>) => Promise<unknown>> = {
  hovered: (link) => link.hover(),
  focused: (link) => link.focus(),
  touched: (link) => link.dispatchEvent('touchstart'),
}

async function open(page: Page, { path, ready }: View): Promise<void> {
  await page.goto(site!.origin + path)
  await ready(page, site!)
  // The frame has all its links once it is known whether a member is signed in.
  await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).waitFor()
}

async function typeIn(page: Page): Promise<number> {
  const fields = await page.locator(FIELDS).filter({ visible: true }).all()
  for (const field of fields) await field.fill(TYPED)
  return fields.length
}

async function typedIn(page: Page): Promise<string[]> {
  const fields = await page.locator(FIELDS).filter({ visible: true }).all()
  return Promise.all(fields.map((field) => field.inputValue()))
}

const ELSEWHERE: View[] = [
  {
    name: 'not-found',
    path: '/nothing/here',
    ready: (page) => page.getByRole('heading', { name: 'Page not found' }).waitFor(),
  },
  {
    name: 'sign-in for another page',
    path: '/new?urls=%40dailynotes',
    ready: (page) => page.waitForURL(/\/sign-in\?next=/),
  },
]

for (const view of [...OUTSIDE, ...ELSEWHERE]) {
  test(`no link of ${view.name} leads anybody away before it is clicked`, { skip }, async (t) => {
    const { context, page } = await openWindow(site!.browser)
    t.after(() => context.close())
    await context.addInitScript(NOTE_LEAVING)
    await page.clock.install()
    await open(page, view)
    const fields = await typeIn(page)
    await page.evaluate(NOTE_LOADING)
    const address = page.url()
    // The first link only skips to the content, and is visible once it has the focus.
    const links = await page.locator('a[href]:not([href="#main"])').filter({ visible: true }).all()
    assert.ok(links.length > 0)
    let loaded = 0
    for (const link of links)
      for (const [gesture, act] of Object.entries(GESTURES)) {
        const href = await link.getAttribute('href')
        await act(link)
        await page.clock.runFor(LOOKED_MS)
        const came = (await page.evaluate(WHAT_CAME)) as { ahead: string[]; left: string[] }
        assert.deepEqual(came.left, [], `${href} was ${gesture}`)
        assert.equal(page.url(), address, `${href} was ${gesture}`)
        if (came.ahead.length > 0) assert.deepEqual(came.ahead, [href], `${href} was ${gesture}`)
        loaded += came.ahead.length
      }
    const isOfTheServer = await page.evaluate('window.__TSR_ROUTER__ === undefined')
    assert.ok(isOfTheServer === true || loaded >= 3, `${loaded} pages were loaded ahead`)
    assert.deepEqual(await typedIn(page), Array(fields).fill(TYPED))
    t.diagnostic(`${links.length} links, ${loaded} times loaded ahead, ${fields} fields`)
  })
}

test(
  'what was looked at while the server is away takes nothing of the page when it is back',
  { skip },
  async (t) => {
    const { context, page } = await openWindow(site!.browser)
    t.after(() => context.close())
    await context.addInitScript(NOTE_LEAVING)
    await signUpInBrowser(site!, page, 'looking@example.org')
    await page.clock.install()
    await goToAccount(page)
    const box = page.getByLabel('Name of the new passkey')
    await box.fill(TYPED)
    await page.evaluate(NOTE_LOADING)

    // A page that was not loaded before: its load fails, and the server is asked until it answers.
    await context.route('**/*', (route) => route.abort('connectionrefused'))
    await page.getByRole('link', { name: 'API', exact: true }).hover()
    await page.clock.runFor(LOOKED_MS)
    await page.getByText(/^Not connected, .*trying again…$/).waitFor()
    await context.unroute('**/*')
    await page.getByText('Not connected').waitFor({ state: 'detached' })
    for (let look = 0; look < 3; look += 1) {
      await page.clock.runFor(SERVER_LOOK_MS)
      await page.evaluate(`fetch('/account/session').then((answer) => answer.text())`)
    }
    assert.deepEqual(await page.evaluate('window.left'), [])
    assert.equal(await box.inputValue(), TYPED)

    // The page that could not be loaded is loaded once it is opened.
    await page.getByRole('link', { name: 'API', exact: true }).click()
    await page.getByRole('heading', { name: 'The API' }).waitFor()
  },
)

test(
  'the name leads to the first page, also where it was looked at before',
  { skip },
  async (t) => {
    const { context, page } = await openWindow(site!.browser)
    t.after(() => context.close())
    await page.goto(`${site!.origin}/sign-up`)
    await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).waitFor()
    await page.getByRole('link', { name: 'Scriptorium' }).hover()
    await page.getByRole('link', { name: 'Scriptorium' }).click()
    await page.getByRole('heading', { name: /every word of a channel/ }).waitFor()
    assert.equal(new URL(page.url()).pathname, '/welcome')
    await page.goBack()
    await page.waitForURL(`${site!.origin}/sign-up`)
  },
)
