/** The command line as an app of its own; run with apps.test.ts. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { awaitLogin, beginLogin } from '../../clients/cli/src/app-login.ts'
import { cliUser } from '../clients/cli-command.ts'
import { type Fault, faultyProxy } from '../support/faulty-proxy.ts'
import { anna, origin } from './running.ts'

const CLIENT = { client_id: 'scriptorium-cli' }
const GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

test('the command `mcp` renews the tokens of a sign-in, and says when it has ended', async (t) => {
  const begun = await asks('/oauth/device_authorization', {})
  const answer = { code: begun.user_code, isAllowed: true, monthlyCap: '1' }
  assert.equal((await anna.asks('POST', '/account/device', answer)).status, 200)
  const { refresh_token: refresh } = await asks('/oauth/token', {
    grant_type: GRANT,
    device_code: begun.device_code,
  })
  const user = cliUser(t, { SCRIPTORIUM_URL: origin })
  const file = path.join(user.folder, '.config/scriptorium/config.json')
  fs.mkdirSync(path.dirname(file), { recursive: true })
  const login = { access: `so_${'x'.repeat(43)}`, refresh, endsAt: 0 }
  fs.writeFileSync(file, JSON.stringify({ url: origin, logins: { [origin]: login } }))

  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_balance' } }
  const first = await user.pipes(JSON.stringify(call), 'mcp')
  assert.match(JSON.parse(first.stdout).result.content[0].text, /"balance"/)
  const { refresh: next } = JSON.parse(fs.readFileSync(file, 'utf8')).logins[origin]
  assert.notEqual(next, refresh)

  await asks('/oauth/revoke', { token: next })
  const ended = await user.pipes(JSON.stringify(call), 'mcp')
  assert.match(JSON.parse(ended.stdout).error.message, /sign-in has ended.*scriptorium login/)
})

test('a sign-in that waits for its code survives lost connections and a busy service', async (t) => {
  const faults: Fault[] = ['cut before', '503', '429']
  const code = await beginLogin(origin)
  assert.ok(code !== null)
  // No answer comes through before the code is allowed, since a client that asks too often has to wait.
  const answer = { code: code.user, isAllowed: true, monthlyCap: '1' }
  const allowed = anna.asks('POST', '/account/device', answer)
  const proxy = await faultyProxy({ after: (end) => t.after(end) }, origin, {
    choose: () => faults.shift() ?? 'none',
    before: async () => void (await allowed),
  })
  let losses = 0
  const pace = { ...code, interval: 0.001 }
  const { access } = await awaitLogin(proxy.address, pace, () => void (losses += 1))
  assert.match(access, /^so_/)
  assert.deepEqual([faults, losses], [[], 1])
})

async function asks(at: string, form: Record<string, string>): Promise<any> {
  const body = new URLSearchParams({ ...CLIENT, ...form })
  return (await fetch(origin + at, { method: 'POST', body })).json()
}
