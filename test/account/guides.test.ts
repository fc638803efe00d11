/** The guides, the changelog and the clients as pages, and as what programs read. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sharedService } from '../support/shared-service.ts'
import { siteAddresses } from '../support/site-addresses.ts'

const { address } = await sharedService({ after })
/** Pages that are there once the website is built. */
const ofWebsite = new Set(siteAddresses())
const BROWSER = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

async function read(path: string, headers: Record<string, string> = BROWSER) {
  const response = await fetch(address + path, { headers })
  const text = await response.text()
  return {
    status: response.status,
    type: response.headers.get('content-type') ?? '',
    text,
    response,
  }
}

const { text: index } = await read('/guides')
const pages = [...index.matchAll(/href="(\/docs\/[\w-]+|\/changelog)"/g)].map(
  ([, page = '']) => page,
)

test('every guide that programs find is a page, and both lead to each other', async () => {
  const { text: llms } = await read('/llms.txt', {})
  const listed = [...llms.matchAll(/\]\(http[^)]*?(\/(?:docs\/[\w-]+|changelog))\.md\)/g)]
  assert.deepEqual([...new Set(pages)].toSorted(), listed.map(([, page = '']) => page).toSorted())
  const { text: sitemap } = await read('/sitemap.xml')
  for (const page of ['/guides', ...pages]) assert.ok(sitemap.includes(`${page}</loc>`), page)
  assert.ok(index.includes('href="/guides"') && index.includes('href="/changelog"'), 'in the foot')
})

test('no page shows a mark of Markdown, runs a script or links what is not there', async () => {
  assert.ok(pages.length > 8)
  for (const page of new Set(pages)) {
    const { status, type, text, response } = await read(page)
    assert.deepEqual([status, type], [200, 'text/html; charset=utf-8'], page)
    assert.match(response.headers.get('link') ?? '', /rel="alternate"; type="text\/markdown"/)
    assert.doesNotMatch(text, /<script|style="| on\w+="/, page)
    const words = text
      .replaceAll(/<pre>.*?<\/pre>|<code>.*?<\/code>/gs, '')
      .replaceAll(/<[^>]*>/g, '')
    assert.doesNotMatch(words, /`|\*\*|\]\(|^#{1,6} |^\|/m, page)
    const ids = [...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
    assert.equal(new Set(ids).size, ids.length, page)
    for (const [, target = ''] of text.matchAll(/<a\b[^>]* href="([#/][^"]*)"/g)) {
      const [path = '', anchor] = target.split('#')
      if (ofWebsite.has(path)) continue
      const there = path === '' ? text : (await read(path)).text
      if (path !== '') assert.notEqual((await read(path)).status, 404, `${page}: ${target}`)
      if (anchor !== undefined && path.startsWith('/docs/'))
        assert.ok(there.includes(` id="${decodeURIComponent(anchor)}"`), `${page}: ${target}`)
    }
  }
})

test('each heading below the first is a link to itself, so that a version has an address', async () => {
  const { text } = await read('/changelog')
  assert.match(text, /<h2 id="200[^"]*"><a href="#200[^"]*">2\.0\.0/)
})

test('programs get Markdown at the address with .md, and where they prefer it', async () => {
  for (const page of ['/docs/recipes', '/changelog']) {
    const file = await read(`${page}.md`, {})
    assert.equal(file.type, 'text/markdown; charset=utf-8')
    const preferred = await read(page, { Accept: 'text/markdown' })
    assert.deepEqual([preferred.type, preferred.text], [file.type, file.text])
  }
})

test('the list of clients is a page for browsers, and JSON for all others', async () => {
  for (const path of ['/clients', '/clients/']) {
    const page = await read(path)
    assert.equal(page.type, 'text/html; charset=utf-8')
    for (const headers of [{}, { Accept: '*/*' }, { Accept: 'application/json' }]) {
      const { type, text, response } = await read(path, headers)
      assert.match(type, /^application\/json/)
      assert.match(response.headers.get('vary') ?? '', /Accept/)
      const clients = JSON.parse(text) as { file: string }[]
      for (const { file } of clients) assert.ok(page.text.includes(`href="/clients/${file}"`), file)
      assert.equal(page.text.includes('<table'), clients.length > 0, 'no table without rows')
    }
  }
})
