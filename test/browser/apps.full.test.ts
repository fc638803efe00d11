/** Connecting an app and the command line in a real browser: the questions, the cap, the list, and an end to it. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test, type TestContext } from 'node:test'
import { App } from '../oauth/app.ts'
import { OfficialApp } from '../oauth/official-app.ts'
import { CLI_SOURCE, cliUser } from '../clients/cli-command.ts'
import { inTerminal } from '../clients/terminal-screen.ts'
import { PASSWORD } from '../account/visitor.ts'
import { until } from '../support/until.ts'
import {
  isTooWide,
  noBrowser,
  openWindow,
  PHONE,
  picture,
  seriousFaults,
  signUpInBrowser,
  startSite,
} from './site.ts'

const skip = noBrowser
const site = noBrowser === false ? await startSite({ after }) : null
const EMAIL = 'connects@example.org'

test(
  'a reader signs in, reads what an app asks, caps it, sees it on the account page and ends it',
  { skip },
  async (t) => {
    const { callback, arrived } = await awaitsAnswers(t)
    const { context, page, complaints } = await openWindow(site!.browser)
    t.after(() => context.close())
    await signUpInBrowser(site!, page, EMAIL)
    await page.goto('about:blank') // requests that the page still sends would be refused without the cookie
    await context.clearCookies()
    complaints.splice(0)

    const app = await App.registers(site!.origin, { client_name: 'Notebook <b>of</b> Nora' })
    const asking = await app.asks({ redirect_uri: callback, state: '{"a": 1}' })
    await page.goto(asking.url.href)
    // A visitor who is not signed in signs in first, and is led back to the question.
    await page.getByLabel('Email').fill(EMAIL)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'Notebook <b>of</b> Nora will be able to' }).waitFor()
    await page.getByText('start jobs, which spends your balance').waitFor()
    assert.match(await page.getByTestId('destination').innerText(), /a program on this computer/)
    assert.deepEqual(await seriousFaults(page), [])
    await picture(page, 'consent')
    await page.setViewportSize(PHONE)
    assert.equal(await isTooWide(page), false)
    await picture(page, 'consent-phone')
    await page.getByLabel('Monthly limit (USD)').fill('none')
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await page.getByText('must be an amount from').waitFor()
    assert.deepEqual(
      complaints.splice(0).filter((text) => !text.includes('400')),
      [],
    )
    await page.getByLabel('Monthly limit (USD)').fill('1.5')
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await page.getByText('Back at the app').waitFor()
    const answer = arrived.at(-1)!
    assert.deepEqual(
      [answer.searchParams.get('state'), answer.searchParams.get('iss')],
      ['{"a": 1}', site!.origin],
    )
    const tokens = await app.brings(asking, answer.href)
    const call = async () =>
      (
        await fetch(`${site!.origin}/api/v1/balance`, {
          headers: { Authorization: `Bearer ${tokens.access}` },
        })
      ).status
    assert.equal(await call(), 200)

    await page.goto(`${site!.origin}/settings/apps`)
    await page.getByText('$0.00 of $1.50').waitFor()
    await page
      .getByRole('region', { name: 'Connected apps' })
      .getByLabel('Monthly limit (USD)')
      .fill('2')
    await page.getByRole('button', { name: 'Change', exact: true }).click()
    await page.getByText('$0.00 of $2.00').waitFor()
    assert.equal(await isTooWide(page), false)
    assert.deepEqual(await seriousFaults(page), [])
    await picture(page, 'account-with-app')
    await page.getByRole('button', { name: 'Disconnect' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
    await page.getByText('No connected apps').waitFor()
    assert.equal(await call(), 401)
    assert.deepEqual(complaints, [])
  },
)

test(
  'an agent by the official client is allowed in the browser, and calls a tool',
  { skip },
  async (t) => {
    const { callback, arrived } = await awaitsAnswers(t)
    const { context, page } = await openWindow(site!.browser)
    t.after(() => context.close())
    await signUpInBrowser(site!, page, 'agent@example.org')
    const app = new OfficialApp(site!.origin, 'modern', callback)
    await assert.rejects(app.connects(), /authoriz/i)
    await page.goto(app.asked!.href)
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await page.getByText('Back at the app').waitFor()
    await app.brings(arrived.at(-1)!)
    const client = await app.connects()
    const { structuredContent } = await client.callTool({ name: 'get_balance', arguments: {} })
    assert.ok('monthlyCapLeftUsd' in (structuredContent as object))
    await client.close()
  },
)

test(
  'the command line shows a code, and is signed in when it was allowed on the page',
  { skip },
  async (t) => {
    const { context, page, complaints } = await openWindow(site!.browser)
    t.after(() => context.close())
    await signUpInBrowser(site!, page, 'types@example.org')
    const user = cliUser({ after: t.after.bind(t) }, { SCRIPTORIUM_URL: site!.origin })
    const run = inTerminal(user, { columns: 80 }, [process.execPath, CLI_SOURCE, 'login'])
    await until('the code is shown', () => /code [A-Z]{4}-[A-Z]{4}/.test(run.raw()))
    const code = /code ([A-Z]{4}-[A-Z]{4})/.exec(run.raw())?.[1] ?? ''

    // A link may come from anybody: whoever opens it is asked nothing about the program of its sender.
    const isAsked: string[] = []
    page.on('request', (request) => isAsked.push(request.url()))
    await page.goto(`${site!.origin}/device?code=${code}&user_code=${code}`)
    assert.equal(await page.getByLabel('Code').inputValue(), '')
    assert.deepEqual(
      isAsked.filter((url) => url.includes('/account/device')),
      [],
    )
    await page.getByLabel('Code').fill('zzzz zzzz')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('No program is waiting with this code').waitFor()
    complaints.splice(0) // the browser logs the 404
    await page.getByRole('button', { name: 'Type another code' }).click()
    await page.getByLabel('Code').fill(code.toLowerCase())
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Scriptorium command line will be able to' }).waitFor()
    assert.deepEqual(await seriousFaults(page), [])
    await picture(page, 'device')
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await page.getByRole('heading', { name: 'Connected' }).waitFor()
    assert.equal(await run.ended, 0, run.raw())
    assert.equal((await user.runs('balance')).code, 0)

    // An hour later the token is renewed; a sign-out ends it at the service.
    const ofReader = `kind = 'app' and account_id = (select id from account where email = 'types@example.org')`
    await site!.database.pool.query(`update api_key set expires_at = now() where ${ofReader}`)
    assert.equal((await user.runs('balance')).code, 0)
    assert.equal((await user.runs('logout')).code, 0)
    const { rows } = await site!.database.pool.query(`select from api_key where ${ofReader}`)
    assert.equal(rows.length, 0)
    assert.equal((await user.runs('balance')).code, 4)
    assert.deepEqual(complaints, [])
  },
)

/** The app's own address, to which the browser comes back. */
async function awaitsAnswers(t: TestContext): Promise<{ callback: string; arrived: URL[] }> {
  const arrived: URL[] = []
  const server = http
    .createServer((request, response) => {
      if (request.url?.startsWith('/callback') === true)
        arrived.push(new URL(request.url, 'http://127.0.0.1'))
      response
        .setHeader('content-type', 'text/html')
        .end('<title>Back</title><p>Back at the app</p>')
    })
    .listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return {
    callback: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
    arrived,
  }
}

test(
  'the page for developers adds the tools to agents by links that hold the address of this service, and no key',
  { skip },
  async (t) => {
    const { context, page, complaints } = await openWindow(site!.browser)
    t.after(() => context.close())
    await signUpInBrowser(site!, page, 'adds@example.org')
    await page.goto(`${site!.origin}/developers`)
    const part = page.getByRole('region', { name: 'For agents' })
    const url = `${site!.origin}/mcp`
    const linkTo = async (agent: string): Promise<URL> =>
      new URL(
        String(await part.getByRole('link', { name: `Add to ${agent}` }).getAttribute('href')),
      )

    const cursor = await linkTo('Cursor')
    assert.equal(cursor.href.split('?')[0], 'cursor://anysphere.cursor-deeplink/mcp/install')
    assert.equal(cursor.searchParams.get('name'), 'scriptorium')
    assert.deepEqual(JSON.parse(atob(cursor.searchParams.get('config') ?? '')), { url })
    const code = await linkTo('VS Code')
    assert.equal(code.href.split('?')[0], 'vscode:mcp/install')
    assert.deepEqual(JSON.parse(decodeURIComponent(code.search.slice(1))), {
      name: 'scriptorium',
      type: 'http',
      url,
    })
    const claude = await linkTo('Claude')
    assert.equal(claude.origin + claude.pathname, 'https://claude.ai/customize/connectors')
    assert.equal(claude.searchParams.get('connectorUrl'), url)
    const line = `claude mcp add --transport http scriptorium ${url}`
    assert.equal(await part.getByLabel('For agents, as a command').innerText(), line)
    const asked = await fetch(url, { method: 'POST' })
    assert.match(asked.headers.get('www-authenticate') ?? '', new RegExp(`resource="${url}"`))

    await picture(page, 'developers-agents')
    await page.setViewportSize(PHONE)
    await page.emulateMedia({ colorScheme: 'dark' })
    assert.equal(await isTooWide(page), false)
    assert.deepEqual(await seriousFaults(page), [])
    await picture(page, 'developers-agents-phone-dark')
    assert.deepEqual(complaints, [])
  },
)
