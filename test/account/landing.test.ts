/** The pages that the server writes itself: the first one, the operator's legal ones, and what search engines read. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { fastify } from 'fastify'
import { landingRoutes } from '../../src/api/landing/routes.ts'
import { LOOKS, PICTURE, SHOWN } from '../../src/api/landing/showcase.ts'
import { readConfig } from '../../src/config/config.ts'
import { compileValidator } from '../../src/kit/http/validation.ts'
import { openWebsite } from '../../src/api/landing/website.ts'
import { readLegalPages } from '../../src/api/site-settings.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'landing-'))
after(() => fs.rmSync(folder, { recursive: true }))
const legalFolder = path.join(folder, 'legal')
fs.mkdirSync(legalFolder)
const DIST = '<!doctype html><title>the app</title>'
fs.writeFileSync(path.join(folder, 'index.html'), DIST)
const IMPRINT = `# Who we are

Example Press <script>alert(1)</script>
1 Main Street

- write to [us](mailto:a@example.org)
- not [there](javascript:alert)`
fs.writeFileSync(path.join(legalFolder, 'imprint.md'), IMPRINT)

async function serve(env: Record<string, string> = {}) {
  const app = fastify()
  app.setValidatorCompiler(compileValidator)
  const publicUrl = 'https://texts.example'
  const config = readConfig({ LEGAL_DIR: legalFolder, ...env })
  const site = await openWebsite(app, publicUrl, { folder })
  const legal = await readLegalPages(config.LEGAL_DIR)
  await app.register(
    landingRoutes({ config, publicUrl, site, legal, commandFile: 'command-2.0.0.tgz' }),
  )
  after(() => app.close())
  return app
}
const app = await serve({ WELCOME_CREDIT_USD: '0.08' })

test('a visitor reads the first page without a script, and it can be found and shared', async () => {
  const { statusCode, body, headers } = await app.inject({ url: '/' })
  assert.equal(statusCode, 200)
  assert.match(String(headers['content-security-policy']), /^default-src 'none'; style-src 'self'/)
  assert.doesNotMatch(body, /<script|style="| on\w+="/)
  assert.match(body, /<link rel="canonical" href="https:\/\/texts\.example\/" \/>/)
  for (const name of ['og:title', 'og:description', 'og:url']) assert.ok(body.includes(name), name)
  assert.match(body, /10 free transcripts/)
  const [, shared = ''] = /og:image" content="https:\/\/texts\.example(\/[\w.]+)"/.exec(body) ?? []
  const png = fs.readFileSync(path.join(import.meta.dirname, '../../web/public', shared))
  for (const [name, at] of Object.entries({ width: 16, height: 20 }))
    assert.ok(body.includes(`og:image:${name}" content="${png.readUInt32BE(at)}"`), name)
  assert.ok(
    body
      .replaceAll('<wbr />', '')
      .includes('npx https://texts.example/clients/command-2.0.0.tgz \\'),
  )
  assert.match(body, /href="\/imprint">Who we are</)
  assert.ok(!body.includes('/terms'), 'only the pages that are there')
  assert.doesNotMatch(body, /<th[^>]*>(?:\s|&nbsp;)*<\/th>/, 'no head of a column is empty')
})

test('the first page shows the product: each picture is there in its size, and a demo leads to what it shows', async () => {
  const { body } = await app.inject({ url: '/' })
  const files = [...body.matchAll(/(?:src|srcset)="(\/pictures\/[\w.]+)"/g)].map(
    ([, file]) => file ?? '',
  )
  assert.equal(new Set(files).size, SHOWN.length * LOOKS.length)
  for (const file of files) {
    const webp = fs.readFileSync(path.join(import.meta.dirname, '../../web/public', file))
    assert.equal(webp.toString('latin1', 8, 16), 'WEBPVP8X', file)
    // The header has width and height less one, of 24 bits each (RFC 9649, section 2.7).
    const size = [24, 27].map((at) => webp.readUIntLE(at, 3) + 1)
    assert.deepEqual(size, [2 * PICTURE.width, 2 * PICTURE.height], file)
  }
  assert.equal(body.match(/<img[^>]* alt="[^"]{30,}"/g)?.length, SHOWN.length)
  assert.doesNotMatch(body, /<a [^>]*>\s*<picture/)
  const demo = await (await serve({ DEMO_URL: 'http://localhost:1' })).inject({ url: '/' })
  for (const { name } of SHOWN)
    assert.match(demo.body, new RegExp(`<a href="http://localhost:1/${name}">\\s*<picture`))
})

test('the first page promises no more than holds: the same list is free, a changed one is told before', async () => {
  const { body } = await app.inject({ url: '/' })
  assert.doesNotMatch(body, /never[^.]*twice|no video is (?:charged|paid)/i)
  assert.match(body, /The same list again costs nothing for what you have/)
  assert.match(body, /A changed list is a new order: we tell you first what you already own/)
})

test('each page leads to the price, the reference, and the status where there is one', async () => {
  const [first, legal] = [await app.inject({ url: '/' }), await app.inject({ url: '/imprint' })]
  for (const { body } of [first, legal])
    for (const way of ['/welcome#calculator', '/docs', '/status', '/sign-in'])
      assert.ok(body.includes(`href="${way}"`), way)
  assert.ok(first.body.includes('id="calculator"'))
  const silent = await (await serve({ STATUS_PAGE: 'false' })).inject({ url: '/' })
  assert.ok(!silent.body.includes('/status'))
})

test('who may be signed in gets the app instead', async () => {
  const cookie = '__Host-scriptorium.session_token=x'
  assert.equal((await app.inject({ url: '/', headers: { cookie } })).body, DIST)
  assert.match((await app.inject({ url: '/welcome', headers: { cookie } })).body, /whole channel/)
})

test('the calculator never promises less than a job may cost', async () => {
  const { body } = await app.inject({ url: '/welcome?videos=1201' })
  assert.match(body, /A channel of 1,201: at most <strong>\$9\.61<\/strong>/)
  assert.match(body, /value="1201"/)
  assert.equal((await app.inject({ url: '/welcome?videos=1e9' })).statusCode, 400)
})

test('without sign-up nobody is asked to create an account', async () => {
  const closed = await (await serve({ SIGN_UP: 'closed' })).inject({ url: '/' })
  assert.ok(!closed.body.includes('/sign-up'))
})

test("the operator's files become pages, and whatever is no plain text in them stays text", async () => {
  const { body } = await app.inject({ url: '/imprint' })
  assert.match(body, /<h1 id="who-we-are" class="short">Who we are<\/h1>/)
  assert.match(body, /&lt;script&gt;alert\(1\)&lt;\/script&gt;<br \/>1 Main Street/)
  assert.match(body, /<li>write to <a href="mailto:a@example\.org">us<\/a><\/li>/)
  assert.match(body, /<li>not \[there\]\(javascript:alert\)<\/li>/)
  await assert.rejects(readLegalPages(folder), /LEGAL_DIR .* has none of/)
})

test('every service has an accessibility statement: its operator’s, or what tests measured', async () => {
  const statement = await app.inject({ url: '/accessibility' })
  assert.match(
    statement.body,
    /<h2 id="what-is-checked"><a href="#what-is-checked">What is checked<\/a><\/h2>/,
  )
  assert.doesNotMatch(
    statement.body.replace(/<[^>]*>/g, ''),
    /[`|]|\*\*|\]\(/,
    'nothing unreadable',
  )
  assert.match((await app.inject({ url: '/' })).body, /href="\/accessibility">Accessibility</)
  assert.deepEqual(
    (await readLegalPages(null)).map(({ path: at, isTemplate }) => [at, isTemplate]),
    [
      ['/terms', true],
      ['/privacy', true],
      ['/imprint', true],
      ['/accessibility', false],
    ],
  )
  const own = path.join(folder, 'own')
  fs.mkdirSync(own)
  fs.writeFileSync(path.join(own, 'terms.md'), '# Terms\n')
  fs.writeFileSync(path.join(own, 'accessibility.md'), '# For everybody\n')
  const pages = await readLegalPages(own)
  assert.deepEqual(
    pages.map(({ title }) => title),
    ['Terms', 'For everybody'],
  )
})

test('search engines are told what to read and what to leave', async () => {
  const robots = (await app.inject({ url: '/robots.txt' })).body
  assert.match(robots, /Disallow: \/api\/\n[^]*Sitemap: https:\/\/texts\.example\/sitemap\.xml/)
  for (const open of ['/api/v1/openapi.json', '/mcp/server-card'])
    assert.ok(robots.includes(`\nAllow: ${open}\n`), open)
  assert.doesNotMatch(robots, /Content-Signal/)
  const CONTENT_SIGNAL = 'search=yes, ai-input=yes, ai-train=no'
  const signalled = (await (await serve({ CONTENT_SIGNAL })).inject({ url: '/robots.txt' })).body
  assert.ok(signalled.startsWith(`User-agent: *\nContent-Signal: ${CONTENT_SIGNAL}\nAllow: /`))
  const sitemap = (await app.inject({ url: '/sitemap.xml' })).body
  assert.deepEqual(
    [...sitemap.matchAll(/<loc>([^<]+)/g)].map(([, address]) => address),
    ['/', '/docs', '/imprint', '/accessibility'].map((one) => `https://texts.example${one}`),
  )
})
