/** Whatever is typed into the address of a page, the page's frame stays, and it has a heading. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { ROW_STATUSES } from '../../src/model/jobs/video-row.ts'
import { siteAddresses } from '../support/site-addresses.ts'
import { noBrowser as skip, openWindow, runJobOnPage, signUpInBrowser, startSite } from './site.ts'

const ADDRESSES = path.join(import.meta.dirname, '../../web/src/addresses.ts')
const HOSTILE = ['true', 'null', '123', '{"a":[1]}', '"two words"', '%', '-1e999', '[]', '*', '']

/** Returns the names of all parameters that pages read. */
function parameterNames(): string[] {
  const code = fs.readFileSync(ADDRESSES, 'utf8')
  const single = [...code.matchAll(/search(?:\[|, )'(\w+)'/g)].map(([, name = '']) => name)
  const several = [...code.matchAll(/const \{ ([\w, ]+) \} = search/g)].flatMap(([, names = '']) =>
    names.split(', '),
  )
  const listed = [...code.matchAll(/of \[([^\]]+)\] as const/g)].flatMap(([, names = '']) =>
    [...names.matchAll(/\w+/g)].map(([name]) => name),
  )
  const names = new Set([...single, ...several, ...listed])
  assert.ok(names.has('q') && names.has('status') && names.has('after') && names.size > 10)
  return [...names]
}

/** Returns addresses in which every parameter has a hostile value, another one in each. */
function hostileAddresses(jobId: string): string[] {
  const names = parameterNames()
  const paths = siteAddresses().map((address) =>
    address.replace('$id', jobId).replace('$index', '1').replace('$part', 'accounts'),
  )
  return paths.map((address, at) => {
    const values = names.map((name, place) => {
      const value = HOSTILE[(place + at) % HOSTILE.length] ?? ''
      return `${name}=${value === '%' ? value : encodeURIComponent(value)}`
    })
    return `${address}?${values.join('&')}`
  })
}

const KNOWN = [
  '/search?q=true',
  '/search?q=null',
  '/search?q=a&q=b',
  '/search?q=the&month=2020-13',
  '/new?urls=123',
  '/library?page=-1&sort=no&kind=no',
  '/billing?page=half&month=12',
  '/jobs?page=0.5',
]

test(
  'no address that can be typed takes away the page around it, or leaves it without a heading',
  { skip },
  async () => {
    const site = await startSite({ after })
    const { context, page } = await openWindow(site.browser)
    await signUpInBrowser(site, page, 'typist@example.org')
    await page.goto(`${site.origin}/new`)
    const jobId = await runJobOnPage(site, page, '@smallworkshop', 2)
    await page.goto(`${site.origin}/library`)
    const collection = await page.locator('main a[href^="/library/"]').first().getAttribute('href')
    const broken: string[] = []
    // What a page cannot use of its address is left out. Words, lines and tokens are told where they are refused.
    page.on('response', (response) => {
      const { pathname, search } = new URL(response.url())
      if (
        response.status() === 400 &&
        !/\/(?:search|mentions|lines|previews|verify-email|consent)/.test(pathname)
      )
        broken.push(`${new URL(page.url()).pathname} asks for ${pathname}${search}`)
    })
    for (const address of [
      ...KNOWN,
      `/jobs/${jobId}?status=12&q=false`,
      `/jobs/${jobId}/x?find=true`,
      ...[...ROW_STATUSES, 'none'].flatMap((status) => [
        `/jobs/${jobId}?status=${status}`,
        `${collection}?status=${status}`,
      ]),
      ...hostileAddresses(jobId),
    ]) {
      await page.goto(site.origin + address)
      const heading = page.getByRole('heading', { level: 1 }).first()
      await heading.waitFor({ timeout: 20_000 }).catch(() => broken.push(`${address}: no heading`))
      if (await page.getByText('This page could not be shown').isVisible()) broken.push(address)
      if ((await page.getByRole('banner').count()) === 0) broken.push(`${address}: no header`)
    }
    assert.deepEqual(broken, [])
    await context.close()
  },
)
