/**
 * Part of `npm run check`: proves that every regular expression of the service, the website and the command takes time
 * in proportion to its input. One that backtracks, or is searched for from every place of the text again, lets a few
 * kilobytes stop the event loop for seconds.
 *
 * recheck's automaton decides, never its fuzzer: what it cannot prove is refused like what it disproves. What was
 * proven is kept beside the packages, so that only what is new takes time.
 */
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { check } from 'recheck'
import {
  ANY_JOB_FILE,
  COLLECTION_FILE,
  EXPORT_LIST,
  FORMAT_LIST,
  JOB_FILE,
} from '../../src/model/files/addresses.ts'
import { type FoundRegex, findRegexes } from './regex-literals.ts'

/** Reviewed by hand: where an expression stands, how it is written, and why it is harmless. */
const EXCEPTIONS: readonly { file: string; text: string; reason: string }[] = [
  {
    file: 'src/api/results/routes.ts',
    text: 'pattern: STATUS_LIST',
    reason: 'words of our own with a comma between, nothing repeats but the list',
  },
  ...['access.ts', 'operator/gate.ts'].map((name) => ({
    file: `src/api/account-api/${name}`,
    text: 'pattern: VISIBLE_PATTERN',
    reason: 'proven where it is written, in kit/text/invisible.ts',
  })),
]
/** Patterns that are made of a register, by the names that schemas know: they are proven as they are made. */
const MADE: Readonly<Record<string, string>> = {
  ANY_JOB_FILE,
  COLLECTION_FILE,
  EXPORT_LIST,
  FORMAT_LIST,
  JOB_FILE,
}

/** Longest time of a proof: the longest takes seconds, and minutes on a slow and busy machine. */
const PROOF_MS = 300_000

const root = path.resolve(process.argv[2] ?? path.resolve(import.meta.dirname, '../..'))
const KEPT = path.join(import.meta.dirname, '../../node_modules/.cache/linear-regexes.json')
const proven = new Set(readKept())

type Place = FoundRegex & { file: string }

const places: Place[] = globSync('{src,web/src,clients/cli/src}/**/*.{ts,tsx}', { cwd: root })
  .filter((file) => !/\.(test|d)\.ts$/.test(file))
  .sort()
  .flatMap((file) =>
    findRegexes(file, readFileSync(path.join(root, file), 'utf8')).map((found) => ({
      file,
      ...found,
      source: found.source ?? MADE[found.text.replace('pattern: ', '')] ?? null,
    })),
  )

const left = places.filter((place) => !isException(place))
const faults: string[] = []
await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    for (let place = left.shift(); place !== undefined; place = left.shift()) {
      const fault = await faultOf(place)
      if (fault !== null) faults.push(`${place.file}:${place.line}: ${place.text} ${fault}`)
    }
  }),
)
keep()
for (const fault of faults.sort()) console.error(fault)
if (places.length === 0) console.error(`no regular expression found below ${root}`)
process.exit(faults.length > 0 || places.length === 0 ? 1 : 0)

function isException({ file, text }: Place): boolean {
  return EXCEPTIONS.some((exception) => exception.file === file && exception.text === text)
}

async function faultOf({ source, flags }: Place): Promise<string | null> {
  if (source === null) return 'is put together at run time: write it as one literal'
  const name = `/${source}/${flags}`
  if (proven.has(name)) return null
  const result = await check(source, flags, { checker: 'automaton', timeout: PROOF_MS })
  if (result.status === 'safe') {
    proven.add(name)
    return null
  }
  if (result.status === 'unknown')
    return `cannot be proven linear (${result.error.kind}): write it simpler, or as a loop`
  return `is not linear (${result.complexity.summary}): bound its repetitions, anchor it, or write it as a loop`
}

function readKept(): string[] {
  try {
    return JSON.parse(readFileSync(KEPT, 'utf8')) as string[]
  } catch {
    return []
  }
}

function keep(): void {
  mkdirSync(path.dirname(KEPT), { recursive: true })
  writeFileSync(KEPT, JSON.stringify([...proven].sort()))
}
