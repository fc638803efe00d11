/**
 * `npm run conformance -- --base-url U --api-key K`: checks a running deployment against the whole
 * contract and prints a line per rule. Exit code 0 only where every rule is kept.
 */
import { parseArgs } from 'node:util'
import { Description } from './description.ts'
import { closeConnections } from './http.ts'
import { Kit } from './kit.ts'
import { judge, type Judgement } from './rule.ts'
import { RULES } from './rules.ts'

const USAGE = `npm run conformance -- --base-url URL --api-key KEY [options]

  --base-url URL     the deployment, for example http://localhost:8080 (with or without /api/v1)
  --api-key KEY      a key of an account with at least 0.50 USD and no running jobs; give more keys of the
                     same account by repeating it: where one key has to wait, the next one goes on
  --second-key KEY   a key of another account: what is private is checked with it
  --empty-key KEY    a key of an account without credit: 402 is checked with it
  --small-key KEY    a key of an account with credit for 1 to 499 transcripts: an order that the balance limits
                     is checked with it
  --videos A,B,C     ids of videos with captions; short ones keep the run short
  --only WORD        only rules whose sentence has this word
  --list             print the rules and check nothing

It starts about 50 jobs over these videos, which are charged as the contract says. It makes about a
thousand requests and waits where the rate limit asks it to: a quarter of an hour with one key, a minute
or two with ten.`

const DEFAULT_VIDEOS = 'jNQXAC9IVRw,dQw4w9WgXcQ'

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      'base-url': { type: 'string' },
      'api-key': { type: 'string', multiple: true },
      'second-key': { type: 'string' },
      'empty-key': { type: 'string' },
      'small-key': { type: 'string' },
      videos: { type: 'string', default: DEFAULT_VIDEOS },
      only: { type: 'string', default: '' },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const rules = RULES.filter(({ says }) => says.toLowerCase().includes(values.only.toLowerCase()))
  if (values.list) {
    for (const { says } of rules) print(says)
    return 0
  }
  if (values.help || values['base-url'] === undefined || values['api-key'] === undefined) {
    print(USAGE)
    return values.help ? 0 : 2
  }
  const baseUrl = `${values['base-url'].replace(/\/+$/, '').replace(/\/api\/v1$/, '')}/api/v1`
  const kit = new Kit({
    baseUrl,
    apiKeys: values['api-key'],
    secondKey: values['second-key'] ?? null,
    emptyKey: values['empty-key'] ?? null,
    smallKey: values['small-key'] ?? null,
    videoIds: values.videos
      .split(',')
      .map((id) => id.trim())
      .filter((id) => id !== ''),
  })
  kit.description = new Description(await kit.get('/openapi.json', { key: null }), baseUrl)

  const counts = { kept: 0, broken: 0, skipped: 0 }
  for (const rule of rules) {
    const verdict = await judge(kit, rule)
    counts[verdict.outcome] += 1
    print(lineOf(verdict))
  }
  print(
    `\n${counts.kept} rules kept, ${counts.broken} broken, ${counts.skipped} skipped; ${kit.requests} requests, ${kit.started.size} jobs`,
  )
  closeConnections()
  return counts.broken === 0 ? 0 : 1
}

function lineOf({ rule, outcome, error }: Judgement): string {
  const mark = { kept: 'ok    ', broken: 'BROKEN', skipped: 'skip  ' }[outcome]
  const why =
    error instanceof Error
      ? `\n         ${error.message.split('\n').slice(0, 6).join('\n         ')}`
      : ''
  return `${mark} ${rule.says}${rule.needs !== undefined && outcome === 'skipped' ? ` (needs --${NAMES[rule.needs]})` : ''}${why}`
}

const NAMES = { secondKey: 'second-key', emptyKey: 'empty-key', smallKey: 'small-key' }

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

process.exitCode = await main().catch((error: unknown) => {
  process.stderr.write(`conformance: ${error instanceof Error ? error.message : String(error)}\n`)
  return 2
})
