/** The page at /docs: served from our own files, without anything from elsewhere. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testService } from '../support/service.ts'

const { address } = await testService({ after }, { env: { ROLES: 'api' } })

test('the page and its files come from this server, with types and a policy that allow nothing else', async () => {
  const page = await fetch(`${address}/docs`)
  assert.equal(page.status, 200)
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
  const policy = page.headers.get('content-security-policy') ?? ''
  assert.match(policy, /default-src 'none'/)
  assert.doesNotMatch(policy, /unsafe|\*|https?:/)

  const html = await page.text()
  const wanted = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map((found) => found[1] ?? '')
  assert.ok(wanted.length >= 3 && wanted.every((url) => url.startsWith('/')), String(wanted))
  assert.doesNotMatch(html, /<script(?![^>]*src=)|\son\w+=|style="/)
  for (const url of wanted) {
    const file = await fetch(address + url)
    assert.equal(file.status, 200, url)
    assert.match(file.headers.get('content-type') ?? '', /javascript|css|json/)
    if (!url.startsWith('/docs')) continue
    assert.doesNotMatch(await file.text(), /https?:\/\//, url)
  }
})
