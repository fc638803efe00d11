/**
 * Pages and files of two releases at once: tabs from before an upgrade, and pages whose files are asked of a
 * process of the other release.
 */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { after, test, type TestContext } from 'node:test'
import { fastify } from 'fastify'
import { namesHtml } from '../../src/kit/http/accept.ts'
import { openWebsite } from '../../src/api/landing/website.ts'
import { until } from '../support/until.ts'
import { precompress } from '../../web/precompress.ts'
import {
  goToAccount,
  noBrowser,
  openWindow,
  type Page,
  signUpInBrowser,
  startSite,
} from './site.ts'

const skip = noBrowser
const NEW = path.resolve(import.meta.dirname, '../../web/dist')
const TYPED = 'half a sentence'
/** Reloads until the page gives up, and the first load. */
const LOADS_MAX = 6
/** Longer than all waits between reloads. */
const PATIENCE_MS = 60_000

type Release = 'old' | 'new'
/** Says who answers a request for the site's own files; `?sentOn=` says that it was sent on. */
type Choice = (address: string) => Release

const scope = { after }
let choose: Choice = () => 'new'
const site = noBrowser === false ? await startReleases() : null

/** Writes the built site as another release: the same files, all with other hashes in their names. */
function asOlderBuild(from: string, folder: string): void {
  fs.cpSync(from, folder, { recursive: true })
  const assets = path.join(folder, 'assets')
  const named = fs.readdirSync(assets).filter((name) => /-[\w-]{8}\.\w+$/.test(name))
  const renamed = (text: string): string =>
    named.reduce(
      (all, name) => all.replaceAll(name, name.replace(/[\w-]{3}(\.\w+)$/, 'OLD$1')),
      text,
    )
  assert.equal(new Set(named.map(renamed)).size, named.length, 'each has a name of its own')
  for (const name of [...named.map((one) => `assets/${one}`), 'index.html']) {
    const file = path.join(folder, name)
    if (/\.(?:js|css|html)$/.test(name))
      fs.writeFileSync(file, renamed(fs.readFileSync(file, 'utf8')))
    fs.renameSync(file, path.join(folder, renamed(name)))
  }
  for (const name of fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    if (/\.(?:br|gz)$/.test(name)) fs.rmSync(path.join(folder, name))
  precompress(folder)
}

const isFile = (address: string): boolean => address.startsWith('/assets/')
const isPage = (address: string): boolean => !/^\/(?:api|account|oauth)\//.test(address)

/** Starts the service, a process for the site of each release, and a balancer in front of them. */
async function startReleases() {
  const older = fs.mkdtempSync(path.join(os.tmpdir(), 'older-site-'))
  after(() => fs.rmSync(older, { recursive: true }))
  const balancer = http.createServer()
  await new Promise<void>((resolve) => balancer.listen(0, '127.0.0.1', resolve))
  const origin = `http://localhost:${(balancer.address() as AddressInfo).port}`
  const started = await startSite(scope, { env: { PUBLIC_URL: origin } })
  asOlderBuild(NEW, older)
  const ports: Record<Release, number> = { old: 0, new: 0 }
  for (const [release, folder] of [
    ['old', older],
    ['new', NEW],
  ] as const) {
    const app = fastify()
    const pages = await openWebsite(app, origin, { folder })
    app.setNotFoundHandler(
      (request, reply) => pages.answerUnknown(request, reply) ?? reply.code(404).send({}),
    )
    ports[release] = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
    after(() => app.close())
  }
  const service = Number(new URL(started.address).port)
  balancer.on('request', (request, reply) => {
    const address = request.url ?? ''
    const isOfSite = isFile(address) || (isPage(address) && namesHtml(request.headers.accept))
    const port = isOfSite ? ports[choose(address)] : service
    const { method, headers, url } = request
    const asked = http.request(
      { port, host: '127.0.0.1', method, headers, path: url },
      (answer) => {
        reply.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(reply)
      },
    )
    asked.on('error', () => reply.destroy())
    request.pipe(asked)
  })
  after(() => {
    balancer.closeAllConnections()
    balancer.close()
  })
  return { ...started, origin }
}

async function open(t: TestContext) {
  const { context, page } = await openWindow(site!.browser)
  t.after(() => context.close())
  let loads = 0
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) loads += 1
  })
  return { page, loads: () => loads }
}

/** Returns the release of which the page is that is shown. */
function releaseOf(page: Page): Promise<Release> {
  return page
    .locator('script[type=module]')
    .getAttribute('src')
    .then((src) => (src?.includes('OLD.js') ? 'old' : 'new'))
}

test('a tab of the release before finds the pages of the new one', { skip }, async (t) => {
  choose = () => 'old'
  const { page, loads } = await open(t)
  await page.goto(`${site!.origin}/sign-up`)
  await page.getByLabel('Email').fill('someone@example.org')
  assert.deepEqual([await releaseOf(page), loads()], ['old', 1])
  choose = () => 'new'
  await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).hover()
  await page.waitForResponse((answer) => answer.url().includes('sentOn=16'))
  assert.equal(
    await page.getByLabel('Email').inputValue(),
    'someone@example.org',
    'a hover reloads nothing',
  )
  await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  assert.deepEqual([await releaseOf(page), loads()], ['new', 2])
})

test('while both releases answer by turns, each page shows at once', { skip }, async (t) => {
  // Each address, whatever was sent on, is answered by the other process than the last time.
  const last = new Map<string, Release>()
  choose = (address) => {
    const [name = ''] = address.split('?')
    const next = (last.get(name) ?? (last.size % 2 === 0 ? 'old' : 'new')) === 'old' ? 'new' : 'old'
    last.set(name, next)
    return next
  }
  const { page, loads } = await open(t)
  for (const address of ['/sign-up', '/status', '/forgot', '/docs', '/sign-in']) {
    await page.goto(site!.origin + address)
    await page.getByRole('main').getByRole('heading').first().waitFor()
  }
  assert.equal(loads(), 5)
})

for (const [of, kind] of [
  ['new', 'script'],
  ['new', 'style'],
  ['old', 'script'],
] as const)
  test(
    `a page of the ${of} release whose ${kind}s another process is asked for is loaded again`,
    { skip },
    async (t) => {
      let pages = 0
      choose = (address) => {
        if (!isFile(address)) pages += address === '/sign-up' ? 1 : 0
        if (!isFile(address) || pages > 2) return of
        const isAsked = address.includes(kind === 'style' ? '.css' : '.js')
        return isAsked ? (of === 'new' ? 'old' : 'new') : of
      }
      const { page, loads } = await open(t)
      await page.goto(`${site!.origin}/sign-up`)
      await until('all is there', () => loads() === 3)
      await page.getByLabel('Email').waitFor()
      assert.deepEqual([await releaseOf(page), loads()], [of, 3])
    },
  )

test('a page whose files are gone is loaded some times, then says so', { skip }, async (t) => {
  choose = (address) => (isFile(address) ? 'old' : 'new')
  const { page, loads } = await open(t)
  await page.goto(`${site!.origin}/sign-up`)
  await page.getByText('This page could not be loaded').waitFor({ timeout: PATIENCE_MS })
  assert.equal(loads(), LOADS_MAX)
})

test('a page of which a part is gone is loaded some times, then says so', { skip }, async (t) => {
  choose = (address) => (address.includes('/sign-in-') ? 'old' : 'new')
  const { page, loads } = await open(t)
  await page.goto(`${site!.origin}/sign-in`)
  await page.getByText('A part of this page is not there').waitFor({ timeout: PATIENCE_MS })
  assert.equal(loads(), LOADS_MAX)
})

test('a part of the page that is gone takes nothing of what was typed', { skip }, async (t) => {
  choose = () => 'old'
  const { page, loads } = await open(t)
  await signUpInBrowser({ ...site! }, page, 'typing@example.org')
  await goToAccount(page)
  const box = page.getByLabel('Name of the new passkey')
  await box.waitFor() // the page's own part is there, so that the one asked for below is the first that is gone
  const before = loads()
  choose = () => 'new'
  await box.fill(TYPED)
  await page.keyboard.press('Control+k')
  await page.getByText('What you typed stays until you load the page again.').waitFor()
  assert.deepEqual([await box.inputValue(), await releaseOf(page), loads()], [TYPED, 'old', before])
  await page.getByRole('button', { name: 'Load again' }).click()
  await box.waitFor()
  assert.deepEqual([await releaseOf(page), loads()], ['new', before + 1])

  // Where nothing was typed, the part belongs to a page that is loaded anew by itself.
  choose = () => 'old'
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('Control+k')
  await until('it is loaded anew', () => loads() === before + 2)
  await box.waitFor()
  assert.equal(await releaseOf(page), 'old')
})
