/** Reading what is another account's, by ids that the attacker knows. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createAccountWithKey } from '../../../src/features/accounts/account.ts'
import { Customer } from '../../../tools/conformance/customer.ts'
import type { Json } from '../../../tools/conformance/http.ts'
import type { Attack, Target } from '../attack.ts'
import { signUp } from '../member.ts'
import { OF_PAYMENTS } from './stripe-stories.ts'
import {
  EXPORT_FILES,
  FORM_FILES,
  WHOLE_FILES,
  WORD_FILES,
} from '../../../src/model/files/catalogue.ts'

const FILES = [
  ...WHOLE_FILES,
  ...EXPORT_FILES,
  ...[...FORM_FILES, ...WORD_FILES].map((ending) => `1.${ending}`),
]
const QUERIES = [
  '',
  '?limit=1',
  '?view=rows',
  '?view=named',
  '?include=textRow',
  '?status=success',
  '?q=a',
  '?wait=0',
  '?names=title',
  '?bom=1',
]
const CASES_MIN = 100
/** A key's bucket holds 60 requests. */
const CASES_PER_KEY = 50
/** Headers that differ between any two answers. */
const PASSING_HEADERS = new Set(['date', 'x-request-id', 'x-ratelimit-remaining', 'ratelimit'])

export const FOREIGN_READS: readonly Attack[] = [
  {
    name: "reading another account's jobs, results, files and receipts by their ids with a key",
    class: 'foreign reads',
    isInGate: true,
    settings: OF_PAYMENTS,
    async run(target) {
      const { final, open, end } = await jobsOfVictim(target)
      const paths = pathsOf(
        (await (await fetch(`${target.address}/api/v1/openapi.json`)).json()) as Json,
      )
      assert.ok(paths.length >= 10, 'the document names what can be read')
      const tries = [final, open].flatMap((id) =>
        paths.flatMap((path) => ['GET', 'HEAD'].map((method) => ({ id, path, method }))),
      )
      tries.push(...[final, open].map((id) => ({ id, path: '/jobs/ID/cancel', method: 'POST' })))
      const variants = [
        final.toUpperCase(),
        final.replaceAll('-', ''),
        `${final}%00`,
        `${final}%20`,
        `%7B${final}%7D`,
        final.slice(0, -1),
      ]
      tries.push(...variants.map((id) => ({ id, path: '/jobs/ID', method: 'GET' })))

      await eachWithKeys(target, tries, async (attacker, { id, path, method }) => {
        const missing = variants.includes(id) ? id.replace(/^[0-9A-Fa-f]{2}/, '01') : likeId(final)
        const [foreign, nothing] = [
          await attacker.asks(method, path.replace('ID', id)),
          await attacker.asks(method, path.replace('ID', missing)),
        ]
        assert.equal(foreign.status, 404, `${method} ${path} of ${id}`)
        assert.deepEqual(foreign.bytes, nothing.bytes, `${method} ${path}`)
        assert.deepEqual(
          headersOf(foreign.headers),
          headersOf(nothing.headers),
          `${method} ${path}`,
        )
      })
      await end()
      assert.ok(tries.length >= CASES_MIN, `only ${tries.length} cases`)
      return `${tries.length} cases, each the 404 of what is missing`
    },
  },
  {
    name: "reading another account's files and revoking its keys with a session of the website",
    class: 'foreign reads',
    isInGate: true,
    settings: OF_PAYMENTS,
    async run(target) {
      const { final, victim, end } = await jobsOfVictim(target)
      const { visitor } = await signUp(target)
      const { rows } = await target.fleet.database.pool.query<{ id: string }>(
        'select id from api_key where account_id = $1',
        [victim.accountId],
      )
      const keyId = rows[0]?.id ?? ''
      const pairs = [
        ...FILES.map(
          (file) =>
            [
              'GET',
              `/account/files/${final}/${file}`,
              `/account/files/${likeId(final)}/${file}`,
            ] as const,
        ),
        [
          'DELETE',
          `/account/keys/${keyId}`,
          `/account/keys/key_${randomUUID().replaceAll('-', '')}`,
        ] as const,
      ]
      for (const [method, theirs, nobodys] of pairs) {
        const [foreign, nothing] = [
          await visitor.asks(method, theirs),
          await visitor.asks(method, nobodys),
        ]
        assert.deepEqual([foreign.status, foreign.text], [404, nothing.text], theirs)
      }
      for (const path of [
        '/account/keys',
        '/account/statement',
        '/account/movements',
        '/account/balance',
        '/account/statement.csv',
      ]) {
        const { status, text } = await visitor.asks(
          'GET',
          `${path}?accountId=${victim.accountId}&account=${victim.accountId}`,
        )
        assert.equal(status, 200)
        assert.ok(!text.includes(final) && !text.includes(keyId), path)
      }
      assert.equal((await victim.asks('GET', '/balance')).status, 200, 'the key still works')
      await end()
      return `${pairs.length + 4} cases, nothing of the other account`
    },
  },
]

type Victim = { victim: Customer; final: string; open: string; end(): Promise<void> }

/** Makes a final job with texts, and one that runs until `end`, since its first page does not come. */
async function jobsOfVictim(target: Target): Promise<Victim> {
  const { platform } = target.fleet
  const victim = await target.customer()
  const { job } = await victim.orders({ urls: ['@dailynotes'], maxVideos: 2 })
  platform.apply({ faults: [{ do: 'hang', on: 'browse' }] })
  const open = await victim.startsJob({ urls: ['@endlessarchive'], maxVideos: 500 })
  return {
    victim,
    final: job['id'],
    open: open['id'],
    async end() {
      platform.clear()
      await victim.asks('POST', `/jobs/${open['id']}/cancel`)
      await victim.waitsFor(open)
    },
  }
}

/** Returns every path of the document that names a job, with every file and the queries that change an answer. */
function pathsOf(document: Json): string[] {
  return Object.entries(document['paths'] as Record<string, Json>)
    .filter(([path, methods]) => path.includes('/jobs/{id}') && 'get' in methods)
    .flatMap(([whole, { get }]) => {
      const path = whole.slice(whole.indexOf('/jobs/')).replace('{id}', 'ID')
      return /\{\w+\}/.test(path)
        ? (path.includes('{file}') ? FILES : ['1']).map((value) => path.replace(/\{\w+\}/, value))
        : QUERIES.filter((query) => isTaken(query, get)).map((query) => path + query)
    })
}

/** Returns whether a route takes the query: another word than its own is 400, whosever the job is. */
function isTaken(query: string, { parameters = [] }: Json): boolean {
  const [name = '', value = ''] = query.slice(1).split('=')
  const known = (parameters as Json[]).find((parameter) => parameter['name'] === name)
  const words = known?.['schema']?.enum as string[] | undefined
  return words === undefined || words.includes(value)
}

/** Returns an id that no job has. */
function likeId(id: string): string {
  return id.slice(0, 24) + randomUUID().slice(24)
}

function headersOf(headers: Headers): [string, string][] {
  return [...headers].filter(([name]) => !PASSING_HEADERS.has(name))
}

/** Runs each case with keys of as many accounts as it takes, since attackers can have any number. */
async function eachWithKeys<T>(
  target: Target,
  tries: readonly T[],
  attempt: (attacker: Customer, one: T) => Promise<void>,
): Promise<void> {
  for (let from = 0; from < tries.length; from += CASES_PER_KEY / 2) {
    const attacker = new Customer({
      address: target.address,
      ...(await createAccountWithKey(target.fleet.database.db, {
        email: `attacker-${randomUUID()}@example.org`,
        micros: 0n,
      })),
    })
    for (const one of tries.slice(from, from + CASES_PER_KEY / 2)) await attempt(attacker, one)
  }
}
