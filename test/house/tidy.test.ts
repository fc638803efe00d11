/** The house rules of ARCHITECTURE.md that are not about imports: a breach names the file and the rule. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { PROBLEMS } from '../../src/kit/problem.ts'
import { dollars, PRICE_MICROS } from '../../src/model/money/money.ts'
import { trackedFiles } from '../support/tracked-files.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const LINES_MAX = 300
/** Files that a program writes, the first as long as the schema is. */
const GENERATED = ['clients/typescript/src/schema.ts']
const BANNED_NAMES = /(^|[/-])(utils?|helpers?|common|misc)([./-]|$)/

const ENTRIES = [
  /^src\/main\.ts$/,
  /^emulator\/main\.ts$/,
  /\.test\.ts$/,
  /^tools\/conformance\/main\.ts$/,
  /^web\//,
  /^clients\/cli\/src\/main\.ts$/,
  /^test\/.*-process\.ts$/,
  /^tools\/(?!conformance\/)/,
  /^test\/(simulation\/chaos|rehearsal)\/main\.ts$/,
  /^test\/attack\/(main|stall-probe)\.ts$/,
  /^src\/.*-thread\.ts$/,
]

type File = { name: string; text: string; imports: string[] }

const tracked = trackedFiles()
const files = listFiles()
const sources = files.filter(({ name }) => name.startsWith('src/') && !name.endsWith('.test.ts'))

test('only config.ts reads the environment and only open-context.ts the clock', () => {
  const found = sources.flatMap(({ name, text }) => {
    const code = codeOf(name, text)
    return [
      ...(/process\.env\b/.test(code) && name !== 'src/config/config.ts'
        ? [`${name}: process.env`]
        : []),
      ...(/Date\.now\(|new Date\(\)/.test(code) && name !== 'src/open-context.ts'
        ? [`${name}: the clock`]
        : []),
    ]
  })
  assert.deepEqual(found, [])
})

test('whoever opens a connection to the database hears that the server ended it', () => {
  const deaf = files.filter(({ name, text }) => {
    const code = codeOf(name, text)
    const opened = code.match(/\bnew pg\.(Pool|Client)\(/g) ?? []
    return opened.length > (code.match(/\.on\('error'/g) ?? []).length
  })
  assert.deepEqual(
    deaf.map(({ name }) => name),
    [],
  )
})

test('whoever did not open a stream asks whether it has closed before listening for that', () => {
  // These listen from the beginning of what they listen to.
  const early = [
    'admin/peer-program',
    'features/backup/backup',
    'features/files/send-zip',
    'kit/http/connections',
    'kit/http/parser-errors',
    'kit/postgres/copy',
    'kit/postgres/embedded/programs',
  ]
  const home = 'kit/once-closed'
  const listening = sources.filter(({ name, text }) =>
    /\.(?:once|on)\(\s*'close'|\bonce\([^)]*'close'/.test(codeOf(name, text)),
  )
  assert.deepEqual(
    listening.map(({ name }) => name).sort(),
    [...early, home].map((name) => `src/${name}.ts`).sort(),
  )
})

test('only text.ts composes text: the engine takes quadratic time for it', () => {
  // Passwords have at most 128 characters before any code looks at them.
  const short = ['src/features/accounts/password-worker.ts', 'src/model/accounts/sign-in.ts']
  const composing = sources.filter(({ name, text }) => /\.normalize\(/.test(codeOf(name, text)))
  assert.deepEqual(
    composing.map(({ name }) => name).sort(),
    [...short, 'src/kit/text/outside-text.ts'].sort(),
  )
})

/** What only who knows the price can write: the price itself, and reckoning with it. */
const PRICED =
  /\b(?:8_?000n|0\.008)\b|\bPRICE_MICROS\s*[*/<>]|[*/<>]=?\s*(?:PRICE_MICROS|price(?:Micros)?\b(?!\s*[=:]))|\* microsOf\(/
/** The price's home; the command's, to which the service says the price; and who checks receipts by themselves. */
const PRICING = [
  'clients/cli/src/usd.ts',
  'clients/typescript/src/receipts.ts',
  'src/kit/problem.ts', // a sentence of the contract, in the storey that knows no price
  'src/model/money/money.ts',
]

test('what so many transcripts cost, and how many a sum pays for, is reckoned in one place', () => {
  const told = files.filter(({ name }) => /^(?:src|web\/src|clients\/[^/]+\/src)\//.test(name))
  const pricing = told.filter(
    ({ name, text }) => !name.endsWith('.test.ts') && PRICED.test(codeOf(name, text)),
  )
  assert.deepEqual(pricing.map(({ name }) => name).sort(), PRICING)
  assert.ok(PROBLEMS.insufficient_balance.sentence.includes(dollars(PRICE_MICROS)))
  const hand = [
    'n * PRICE_MICROS',
    'PRICE_MICROS * n',
    'sum / PRICE_MICROS',
    'BigInt(n) * price',
    '8000n',
    "'0.008'",
  ]
  for (const code of hand) assert.match(code, PRICED)
})

test('entries never write SQL', () => {
  const entries = ['app.ts', 'api/', 'mcp/', 'worker/', 'admin/', 'metrics/', 'kit/http/']
  const sql = sources
    .filter(({ name }) => entries.some((folder) => name.startsWith(`src/${folder}`)))
    .filter(({ name, text }) => /\b(sql|query)[<`]|\.query\(/.test(codeOf(name, text)))
  assert.deepEqual(
    sql.map(({ name }) => name),
    [],
  )
})

test('files are short, named for what they are, and open with what they are', () => {
  const breaches = files.flatMap(({ name, text }) => [
    ...(text.split('\n').length - 1 > LINES_MAX && !GENERATED.includes(name)
      ? [`${name}: more than ${LINES_MAX} lines`]
      : []),
    ...(BANNED_NAMES.test(name) ? [`${name}: a name that says nothing`] : []),
    ...(/^(#!.*\n)?\/\*\*/.test(text)
      ? []
      : [`${name}: does not open with a sentence on what it is`]),
  ])
  assert.deepEqual(breaches, [])
})

test('every file is imported by someone', () => {
  const imported = new Set(files.flatMap(({ imports }) => imports))
  const orphans = files.filter(
    ({ name }) => !imported.has(name) && !ENTRIES.some((entry) => entry.test(name)),
  )
  assert.deepEqual(
    orphans.map(({ name }) => name),
    [],
  )
})

test('every file that a comment names exists', () => {
  const bases = new Set(tracked.map((name) => path.basename(name)))
  const named = files.flatMap(({ name, text }) =>
    [...text.matchAll(/\/\*[\s\S]*?\*\/|(?:^|\s)\/\/.*$/gm)].flatMap(([comment]) =>
      [...comment.matchAll(/(?<![\w./-])(?:[\w-]+\/)*([\w-]+\.tsx?)\b/g)].map(
        ([file, base = '']) => ({ name, file, base }),
      ),
    ),
  )
  assert.ok(named.length > 20)
  assert.deepEqual(
    named.filter(({ base }) => !bases.has(base)),
    [],
  )
})

test('the project stands alone: no path, host or tool of the workshop is named in it', () => {
  const told = tracked
    .filter((name) => /\.(ts|tsx|mjs|md|json|sql|yaml|yml|css|html)$|^\.ci\//.test(name))
    .filter((name) => name !== 'test/house/tidy.test.ts')
    .filter((name) => {
      const lines = fs.readFileSync(path.join(ROOT, name), 'utf8').split('\n')
      return lines.some(
        (line) =>
          /\/work\/|registry\.npmjs|\/\.library\b/.test(line) ||
          // Recorded replies may be kept beside a checkout; nothing else is taken from there.
          (/\.\.\/shared\b/.test(line) && !(name === '.ci/run' && /RECORDED_REPLIES/.test(line))),
      )
    })
  assert.deepEqual(told, [])
})

function listFiles(): File[] {
  return tracked
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
    .map((name) => {
      const text = fs.readFileSync(path.join(ROOT, name), 'utf8')
      const found = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g)].map(
        (match) => match[1] ?? '',
      )
      const imports = found.map((to) => path.join(path.dirname(name), to))
      return { name, text, imports }
    })
}

/** Returns the code without its comments, in which words are only words. */
function codeOf(name: string, text = files.find((file) => file.name === name)?.text ?? ''): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '')
}
