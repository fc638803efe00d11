/** The page at /docs in a browser: every operation is drawn, and one can be tried with a key. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { chromium } from 'playwright-core'
import { noBrowser, openWindow, seriousFaults } from '../browser/site.ts'
import { testService } from '../support/service.ts'

test('a reader sees every operation and tries one with a key', { skip: noBrowser }, async () => {
  const { address, customer } = await testService({ after }, { env: { ROLES: 'api' } })
  const buyer = await customer('2.5')
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  })
  after(() => browser.close())
  const { page, complaints } = await openWindow(browser)
  await page.goto(`${address}/docs`)

  const document = (await (await fetch(`${address}/api/v1/openapi.json`)).json()) as {
    paths: Record<string, object>
  }
  const operations = Object.values(document.paths).flatMap((methods) => Object.keys(methods)).length
  await page.locator('#operations > details').first().waitFor()
  assert.equal(await page.locator('#operations > details').count(), operations)

  await page.getByLabel('API key').fill(buyer.apiKey)
  await page.locator('#getBalance > summary').click()
  await page.locator('#getBalance button').click()
  await page.locator('#getBalance form > pre').getByText('"balance": "2.500"').waitFor()

  await page.locator('#getJob > summary').click()
  await page.locator('#getJob').getByLabel('id').fill('none')
  await page.locator('#getJob button').click()
  await page.locator('#getJob form > pre').getByText('not_found').waitFor()
  assert.deepEqual(await seriousFaults(page), [])
  assert.deepEqual(
    complaints.filter((one) => !one.includes('404')),
    [],
  )
})
