/** Every surface that can answer a text: all addresses of the document for reading, all files, tools and resources. */
import assert from 'node:assert/strict'
import {
  EXPORT_FILES,
  FORM_FILES,
  WHOLE_FILES,
  WORD_FILES,
} from '../../src/model/files/catalogue.ts'
import type { Customer } from '../../tools/conformance/customer.ts'
import type { Json } from '../../tools/conformance/http.ts'
import { modernAgent } from '../mcp/agents.ts'
import { unzipped } from '../support/unzipped.ts'

/** Letters and single blanks: what is left of words whatever file they are in. */
const lettersOf = (text: string): string =>
  text.replace(/<[^>]*>|"\w+":|[^\p{L}]+/gu, ' ').replace(/ +/g, ' ')

function contentOf(bytes: Buffer): string {
  if (bytes.subarray(0, 4).toString('latin1') !== 'PK\u0003\u0004') return bytes.toString()
  return [...unzipped(bytes)].flat().join('\n')
}

/** Returns lines of a text that no other text of these rows says, nor a title. */
export function ownLines(row: Json, rows: readonly Json[]): string[] {
  const others = lettersOf(
    rows.flatMap((one) => [one['title'], one === row ? '' : one['text']]).join(' '),
  )
  const lines = (row['segments'] as Json[]).map(({ text }) => lettersOf(` ${text} `))
  const own = lines.filter((line) => line.length > 25 && !others.includes(line))
  assert.ok(own.length > 2, 'the text has lines of its own')
  return own
}

export type Things = Record<'jobs' | 'library' | 'projects', string[]> & {
  index: number
  q: string
}

/** Every address that the document names for reading, with the ids of these things, every file and every variant. */
async function everyAddress(buyer: Customer, { index, q, ...ids }: Things): Promise<string[]> {
  const document = (await (await fetch(`${buyer.base}/openapi.json`)).json()) as Json
  const files = [
    ...WHOLE_FILES,
    ...EXPORT_FILES,
    ...[...FORM_FILES, ...WORD_FILES].map((ending) => `${index}.${ending}`),
    'zip?exports=md,jsonl,words,wordsvtt',
  ]
  return Object.entries(document['paths'] as Record<string, Json>).flatMap(([whole, { get }]) => {
    if (get === undefined || whole.includes('openapi')) return []
    const path = whole.replace(/^\/api\/v1/, '')
    const [, noun = ''] = path.split('/')
    const known = noun in ids ? ids[noun as 'jobs'] : ['']
    const chosen = path.startsWith('/library/selection/')
      ? [`?jobs=${ids.jobs.join()}&collections=${ids.library.join()}&rows=${ids.jobs[0]}.${index}`]
      : []
    const withIds = path.includes('{id}') ? known.map((id) => path.replace('{id}', id)) : [path]
    const named = withIds.map((one) => one.replace('{index}', String(index)))
    const filed = named.flatMap((one) =>
      one.includes('{file}') ? files.map((file) => one.replace('{file}', file)) : [one],
    )
    const taken = ((get['parameters'] ?? []) as Json[]).map(({ name }) => name)
    const variants = [
      ...chosen,
      '',
      '?view=rows',
      '?include=textRow',
      `?q=${encodeURIComponent(q)}`,
    ]
    return filed.flatMap((one) =>
      one.includes('{') || one.includes('?')
        ? one.includes('{')
          ? []
          : [one]
        : variants
            .filter((v) => v === '' || taken.includes(v.slice(1).split('=')[0]))
            .map((v) => one + v),
    )
  })
}

/** Returns the surfaces that answer any of the lines. */
export async function surfacesWith(
  buyer: Customer,
  lines: readonly string[],
  things: Things,
): Promise<string[]> {
  const found: string[] = []
  const look = (where: string, content: string): void => {
    const letters = lettersOf(content)
    if (lines.some((line) => letters.includes(line))) found.push(where)
  }
  for (const path of await everyAddress(buyer, things)) {
    const { status, bytes } = await buyer.asks('GET', path)
    assert.ok(status < 500, `${status} ${path}`)
    look(path, contentOf(bytes))
  }
  const agent = await modernAgent(buyer)
  for (const jobId of things.jobs) {
    const row = { jobId, index: things.index }
    for (const [tool, args] of [
      ['read_transcript', row],
      ['read_transcript', { ...row, timestamps: true }],
      ['list_results', { jobId }],
      ['search_transcripts', { q: things.q }],
    ] as const)
      look(tool, JSON.stringify(await agent.calls(tool, args)))
    const uri = `scriptorium://jobs/${jobId}/transcripts/${things.index}.txt`
    const read = await agent.client.readResource({ uri }).catch((error: unknown) => String(error))
    look('resource', JSON.stringify(read))
  }
  await agent.close()
  return [...new Set(found)]
}
