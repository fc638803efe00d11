/** Refusals help: each form is shown by an example that has it, and each address that a sentence names exists. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { PROBLEMS } from '../../src/kit/problem.ts'
import { compileValidator } from '../../src/kit/http/validation.ts'
import { API_BASE } from '../../src/api/links.ts'
import { collectRoutes, type Schema } from '../attack/declared-fields.ts'
import { OF_PAYMENTS } from '../attack/attacks/stripe-stories.ts'
import { testService } from '../support/service.ts'
import { trackedFiles } from '../support/tracked-files.ts'

const NEXT_MONTH = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
const routes = collectRoutes()
const { address, customer } = await testService(
  { after },
  {
    env: {
      ...OF_PAYMENTS,
      ROLES: 'api',
      SECURITY_CONTACT: 'mailto:security@example.org',
      SECURITY_EXPIRES: NEXT_MONTH,
    },
  },
)

type Field = Schema & { examples?: unknown[] }

/** Returns the parts of a schema that have a form, by the path of their field. */
function formsIn(schema: Field, path: string): [path: string, field: Field][] {
  const { properties = {}, items, anyOf = [] } = schema
  const inner = Object.entries(properties).flatMap(([name, field]) =>
    formsIn(field, path === '' ? name : `${path}[${name}]`),
  )
  const below = [...(items === undefined ? [] : [items]), ...anyOf]
  const isForm = schema.pattern !== undefined || schema.format !== undefined
  return [
    ...(isForm ? [[path, schema] as [string, Field]] : []),
    ...inner,
    ...below.flatMap((part) => formsIn(part, path)),
  ]
}

test('each form that a body or a query must have is shown by examples, which have it', () => {
  let seen = 0
  for (const { method, url, schema } of routes.values()) {
    for (const part of [schema.body, schema.querystring]) {
      for (const [path, field] of formsIn((part ?? {}) as Field, '')) {
        const where = `${method} ${url}: ${path} ${field.pattern ?? field.format}`
        seen += 1
        const { examples = [] } = field
        assert.ok(examples.length > 0, where)
        const check = Compile(field as TSchema)
        for (const example of examples) assert.ok(check.Check(example), `${where}: ${example}`)
        // A text of no form that anything here has.
        const wrong: string = '\u200b\u200b\u200b'
        if (check.Check(wrong)) continue
        const read = compileValidator({
          method,
          url,
          schema: { type: 'object', properties: { field } } as TSchema,
          httpPart: 'body',
        }) as unknown as (value: unknown) => { error: Error }
        const { message } = read({ field: wrong }).error
        if (!message.includes('character')) assert.ok(message.includes(`${examples[0]}`), message)
      }
    }
  }
  assert.ok(seen > 30, `${seen}`)
})

const ROOT = path.resolve(import.meta.dirname, '../..')
const SOURCES = /^(?:src|clients\/(?:cli|typescript)\/src|web\/src)\/.*\.tsx?$/
const SAID = /'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`|"((?:[^"\\\n]|\\.)*)"/g
const SENTENCE = /^["'`$\w].* [a-z]+ /s
/** An address between words, with the method that the contract's own texts put before a path below its base. */
const ADDRESS =
  /(?:\b(GET|POST|PATCH|PUT|DELETE) )?(?<![\w.<>{}*)@:/-])(\/(?:[\w{][\w{}.-]*|\.[a-z][\w.-]*)(?:\/[\w{][\w{}.-]*)*\/?)/g
/** Addresses of other programs and of the machine, and one that says itself that it is not there without a setting. */
const ELSEWHERE = new Set(['/get_pot', '/etc/passwd', '/dev/null', '/.well-known/security.txt'])

type Named = { method: string | undefined; at: string; where: string }

function addressesIn(sentence: string, where: string): Named[] {
  return Array.from(sentence.matchAll(ADDRESS), ([, method, at = '']) => {
    return { method, at: at.replace(/\.$/, ''), where: `${where}: ${sentence}` }
  })
}

function addressesInSources(): Named[] {
  const files = trackedFiles().filter((file) => SOURCES.test(file) && !/\.test\.tsx?$/.test(file))
  return files.flatMap((file) => {
    const text = fs.readFileSync(path.join(ROOT, file), 'utf8')
    const said = Array.from(text.matchAll(SAID), (each) => each[1] ?? each[2] ?? each[3] ?? '')
    return said.filter((each) => SENTENCE.test(each)).flatMap((each) => addressesIn(each, file))
  })
}

/** Requests in the code of guides; their other paths may be of a machine. */
function addressesInGuides(): Named[] {
  const guides = trackedFiles().filter((file) =>
    /^(?:docs\/(?!decisions)|README|clients\/).*\.md$/.test(file),
  )
  return guides.flatMap((file) => {
    const text = fs.readFileSync(path.join(ROOT, file), 'utf8')
    const code = Array.from(text.matchAll(/(?<!`)`([^`\n]+)`(?!`)/g), ([, each = '']) => each)
    return code
      .flatMap((each) => addressesIn(each, file))
      .filter((each) => each.method !== undefined)
  })
}

/** Refusals of many kinds, in which the service may name an address. */
async function addressesInRefusals(): Promise<Named[]> {
  const buyer = await customer('1')
  const asked: [method: string, path: string, body?: object][] = [
    ['POST', '/jobs', { urls: 'x', webhook: 1 }],
    ['POST', '/jobs', { urls: 'https://example.org/' }],
    ['POST', '/previews', { url: 'x' }],
    ['POST', '/nothing', {}],
    ['PUT', '/jobs', {}],
    ['GET', '/jobs/none'],
    ['GET', '/jobs?limit=0'],
    ['POST', '/webhooks', { url: 'http://127.0.0.1/' }],
    ['POST', '/batches', { urls: ' ' }],
  ]
  const told = await Promise.all(
    asked.map(async ([method, at, body]) => {
      const reply = await buyer.asks(method, at, body === undefined ? {} : { body })
      assert.ok(reply.status >= 400, at)
      return addressesIn(reply.body['error'].message, `${method} ${at}`)
    }),
  )
  return told.flat()
}

test('each address of ours that a sentence names exists', async () => {
  const known = new Set([...routes.keys()].map((route) => route.replaceAll(/:\w+/g, '{id}')))
  const problems = Object.values(PROBLEMS).flatMap(({ sentence }) =>
    addressesIn(sentence, 'PROBLEMS'),
  )
  const refusals = await addressesInRefusals()
  assert.ok(refusals.length > 0, 'the list of addresses is named')
  const named = [...problems, ...refusals, ...addressesInSources(), ...addressesInGuides()]
  assert.ok(named.length > 20, `${named.length}`)
  for (const { method, at, where } of named) {
    if (ELSEWHERE.has(at)) continue
    const form = at.replaceAll(/\{\w+\}/g, '{id}')
    if (method !== undefined) {
      const isKnown = ['', API_BASE].some((base) => known.has(`${method} ${base}${form}`))
      assert.ok(isKnown, `${method} ${at} in ${where}`)
      continue
    }
    if (['GET', 'POST'].some((each) => known.has(`${each} ${form}`))) continue
    assert.notEqual((await fetch(address + at)).status, 404, `${at} in ${where}`)
  }
})
