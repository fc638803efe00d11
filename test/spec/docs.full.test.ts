/**
 * The reference at /docs in a browser: every part of /docs.md, links to parts, a search, and calls made with a key.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { noBrowser, openWindow, PHONE, seriousFaults, startSite } from '../browser/site.ts'

const site = noBrowser === false ? await startSite({ after }) : null
const options = { skip: noBrowser }
const idsOf = (elements: { id: string }[]): string[] => elements.map(({ id }) => id)

test(
  'a reader without an account sees every operation and tries one with a key',
  options,
  async () => {
    const { address, browser, customer } = site!
    const buyer = await customer('2.5')
    const { page, complaints } = await openWindow(browser)
    const origin = address.replace('127.0.0.1', 'localhost')
    await page.goto(`${origin}/docs#getReceipt`)
    await page.waitForURL('**/docs/api/account#getReceipt')
    await page.waitForFunction('scrollY > 300')
    const top = await page
      .locator('#getReceipt')
      .evaluate((it: any) => it.getBoundingClientRect().top)
    assert.ok(Math.abs(top) < 60, `the operation that the address names is ${top} px away`)
    const contents = page.getByRole('navigation', { name: 'Contents' })
    assert.match(await contents.locator('[aria-current=location]').innerText(), /receipt/i)

    const reference = await (await fetch(`${address}/docs.md`)).text()
    const anchors = [...reference.matchAll(/^<a id="([\w-]+)">/gm)].map(([, id]) => id)
    const shown: string[] = []
    for (const link of await contents.locator('a[href^="/docs"]').all()) {
      const path = String(await link.getAttribute('href'))
      await page.goto(origin + path)
      await contents.waitFor()
      shown.push(...(await page.locator('section[id]').evaluateAll(idsOf)))
    }
    assert.deepEqual(shown.toSorted(), anchors.toSorted(), 'each part stands on one page')
    await page.goto(`${origin}/docs/api/jobs`)
    const operation = page.locator('#createJob')
    await operation.locator('dt', { hasText: 'urls (array of string, 1 to 50 items' }).waitFor()
    await operation.locator('dd', { hasText: 'Video, Shorts, playlist or channel' }).waitFor()
    assert.equal(
      await operation.getByRole('link', { name: 'insufficient_balance' }).getAttribute('href'),
      '#error-insufficient_balance',
    )

    await operation.getByRole('link', { name: 'insufficient_balance' }).click()
    await page.waitForURL('**/docs#error-insufficient_balance')
    await page.getByRole('heading', { name: 'Quick start' }).waitFor()
    await page.goto(`${origin}/docs/api/account`)
    const tried = async (operation: string): Promise<string> => {
      const part = page.getByTestId(`try-${operation}`)
      await part.getByRole('button', { name: 'Send' }).click()
      return part.locator('pre', { hasText: 'x-request-id' }).innerText()
    }
    await page.getByTestId('try-getBalance').locator('summary').click()
    await page.getByTestId('try-getBalance').getByLabel('API key').fill(buyer.apiKey)
    assert.match(
      await tried('getBalance'),
      /200[^{}]*\{[^}]*"balance": "2\.500"[^}]*\}\s+[\w-]+: /,
      'the body first',
    )
    await contents.getByRole('link', { name: 'Jobs', exact: true }).click()
    await page.getByTestId('try-getJob').locator('summary').click()
    await page.getByTestId('try-getJob').getByLabel('id (required)').fill('none')
    assert.match(await tried('getJob'), /not_found/)
    assert.deepEqual(await seriousFaults(page), [])
    assert.deepEqual(
      complaints.filter((one) => !one.includes('404')),
      [],
    )
  },
)

test(
  'a search keeps what has the words, examples change their language, and a phone shows it all',
  options,
  async () => {
    const { address, browser } = site!
    const { page } = await openWindow(browser, { viewport: PHONE })
    await page.goto(`${address.replace('127.0.0.1', 'localhost')}/docs`)
    await page.getByLabel('Search the reference').fill('last-event-id  any')
    await page.getByText('2 found').waitFor()
    const found = page.getByRole('navigation', { name: 'Contents' }).locator('a[href^="#"]')
    assert.deepEqual(
      await found.evaluateAll((links: any[]) => links.map((link) => link.getAttribute('href'))),
      ['#introduction', '#followJob'],
    )
    await found.last().click()
    await page.waitForURL('**/docs/api/jobs#followJob')
    await page.getByText('2 found').waitFor()
    await page.getByLabel('Search the reference').fill('')
    await page.locator('#followJob').getByText('Python').click()
    assert.match(
      await page.locator('#createJob figure').first().innerText(),
      /requests\.post\([\s\S]*uuid\.uuid4\(\)/,
      'a language is chosen once for all',
    )
    const wide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
    assert.ok(wide <= 0, `${wide} px wider than the phone`)
  },
)
