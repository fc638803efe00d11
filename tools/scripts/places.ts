/**
 * `npm run places`: in how many hand-written files a fact stands (a file format, a table, a tool, a field of an order,
 * an error code), which lists are told twice, and sums that are to stay small. `npm run check` holds `most`, which is
 * what the tree has and may only fall; `-- --list` names the files.
 */
import {
  errorCodes,
  formats,
  orderFields,
  type Places,
  placesOf,
  tables,
  tools,
} from './places/facts.ts'
import {
  exportsOfOneFile,
  functionNames,
  linesOf,
  matchesIn,
  wordsOfDocuments,
} from './places/measures.ts'
import { handWritten } from './places/sources.ts'
import { findToldTwice, inOneLine } from './places/told-twice.ts'

/** `goal` is null where there is none but to grow no further. */
type Measure = { name: string; value: number; most: number; goal: number | null; detail?: string[] }
type Bounds = { most: number; goal: number | null }

const files = handWritten()
const twice = findToldTwice(files)
const names = functionNames(files)
const unimported = exportsOfOneFile(files)

const MEASURES: Measure[] = [
  ...measured('a file format', placesOf(formats(), files), [
    { most: 3, goal: 3 },
    { most: 8, goal: 4 },
  ]),
  ...measured('a table, statements apart', placesOf(tables(), files), [
    { most: 1, goal: 2 },
    { most: 5, goal: 2 },
  ]),
  ...measured('a field of an order', placesOf(orderFields(), files), [
    { most: 13, goal: 14 },
    { most: 73, goal: 14 },
  ]),
  ...measured('a tool', placesOf(tools(files), files), [
    { most: 2, goal: 2 },
    { most: 3, goal: 3 },
  ]),
  ...measured('an error code', placesOf(errorCodes(), files), [
    { most: 16, goal: null },
    { most: 50, goal: null },
  ]),
  {
    name: 'lists told twice',
    value: twice.length,
    most: 0,
    goal: 0,
    detail: twice.map(inOneLine),
  },
  {
    name: 'files that declare a function of one name, most',
    value: names[0]?.files.length ?? 0,
    most: 3,
    goal: 3,
    detail: names.filter(({ files: of }) => of.length > 3).map(inWords),
  },
  {
    name: 'bags by subtraction',
    value: matchesIn(/\b(?:Pick|Omit)</g, files),
    most: 1,
    goal: 50,
  },
  {
    name: 'comments that begin with a clause',
    value: matchesIn(/\/\*\*\s*(?:\*\s*)?(?:What|Which)\b/g, files),
    most: 52,
    goal: 60,
  },
  {
    name: 'exported names of one file',
    value: unimported.length,
    most: 0,
    goal: 60,
    detail: unimported,
  },
  { name: 'lines of src', value: linesOf('src/'), most: 77_300, goal: 58_500 },
  { name: 'lines of web/src', value: linesOf('web/src/'), most: 19_415, goal: 17_600 },
  { name: 'lines of bench', value: linesOf('tools/bench/'), most: 2_580, goal: 3_500 },
  { name: 'words of documents', value: wordsOfDocuments(), most: 37_100, goal: 40_000 },
]

/** Returns the median and the greatest number of files that name one of the facts. */
function measured(fact: string, places: Places[], [median, most]: [Bounds, Bounds]): Measure[] {
  const numbers = places.map(({ files: of }) => of.length)
  const middle = { value: numbers[Math.floor(numbers.length / 2)] ?? 0, ...median }
  const greatest = { value: numbers[0] ?? 0, ...most, detail: places.map(inWords) }
  return [
    { name: `files that name ${fact}, median`, ...middle },
    { name: `files that name ${fact}, most`, ...greatest },
  ]
}

function inWords({ name, files: of }: Places): string {
  return `${name}: ${of.length}  ${of.join(' ')}`
}

const isListed = process.argv.includes('--list')
for (const { name, value, most, goal, detail = [] } of MEASURES) {
  const sign = value > most ? '✖' : goal !== null && value > goal ? '·' : '✔'
  const bounds = `at most ${most}${goal === null ? '' : `, goal ${goal}`}`
  process.stdout.write(`${sign} ${String(value).padStart(6)}  ${name} (${bounds})\n`)
  if (isListed || value > most)
    for (const line of detail) process.stdout.write(`          ${line}\n`)
}
if (MEASURES.some(({ value, most }) => value > most)) process.exitCode = 1
