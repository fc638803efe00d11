/** Rules of the files of a job (specification 2.7, 4.5; decisions 22 to 27). */
import assert from 'node:assert/strict'
import type { Json } from '../http.ts'
import type { Kit } from '../kit.ts'
import { type Rule, rule } from '../rule.ts'

const TYPES: Record<string, RegExp> = {
  zip: /^application\/zip$/,
  txt: /^text\/plain; *charset=utf-8$/i,
  csv: /^text\/csv; *charset=utf-8$/i,
  srt: /^text\/plain; *charset=utf-8$/i,
  vtt: /^text\/plain; *charset=utf-8$/i,
  json: /^application\/json/,
}

async function delivered(kit: Kit): Promise<{ id: string; row: Json }> {
  const { id } = await kit.finished()
  const row = (await kit.get(`/jobs/${id}/results`))['videos'].find(
    (one: Json) => one['status'] === 'success',
  )
  assert.ok(row !== undefined, 'no transcript was delivered: name videos with captions by --videos')
  return { id, row }
}

export const fileRules: Rule[] = [
  rule('Every link answers with an attachment of its type', async (kit) => {
    const { id, row } = await delivered(kit)
    const links: string[] = [
      ...Object.values<string>((await kit.get(`/jobs/${id}/results`))['downloads']),
      ...Object.values<string>(row['files']),
    ]
    for (const link of links) {
      const name = link.split('/').at(-1) ?? ''
      const reply = await kit.ask('GET', `/jobs/${id}/files/${name}`)
      assert.equal(reply.status, 200, name)
      assert.match(
        reply.headers.get('content-type') ?? '',
        TYPES[name.split('.').at(-1) ?? ''] ?? /never/,
        name,
      )
      assert.match(reply.headers.get('content-disposition') ?? '', /^attachment;.*filename\*=/)
      assert.ok(reply.bytes.length > 0)
    }
  }),
  rule('The segment file is the bare array of the segments in results', async (kit) => {
    const { id, row } = await delivered(kit)
    const { bytes } = await kit.ask('GET', `/jobs/${id}/files/${row['index']}.json`)
    assert.deepEqual(JSON.parse(bytes.toString()), row['segments'])
  }),
  rule('The text file has the words of text', async (kit) => {
    const { id, row } = await delivered(kit)
    const { bytes } = await kit.ask('GET', `/jobs/${id}/files/${row['index']}.txt`)
    assert.equal(
      bytes.toString().split(/\s+/).filter(Boolean).join(' '),
      row['text'].split(/\s+/).filter(Boolean).join(' '),
    )
  }),
  rule('SRT and VTT hold a cue for every segment', async (kit) => {
    const { id, row } = await delivered(kit)
    for (const [ending, separator] of [
      ['srt', ','],
      ['vtt', '\\.'],
    ]) {
      const { bytes } = await kit.ask('GET', `/jobs/${id}/files/${row['index']}.${ending}`)
      const cues = bytes.toString().match(new RegExp(`\\d\\d:\\d\\d${separator}\\d{3} --> `, 'g'))
      assert.equal(cues?.length, row['segments'].length, ending)
    }
  }),
  rule(
    'report.csv has a line per row and ends what it charges with the charge of the job',
    async (kit) => {
      const { id } = await kit.finished()
      const { progress, billing } = await kit.get(`/jobs/${id}`)
      const { bytes } = await kit.ask('GET', `/jobs/${id}/files/report.csv`)
      const [head, ...lines] = bytes.toString().trimEnd().split('\r\n')
      assert.equal(
        head,
        'index,videoId,title,url,channelName,publishedAt,status,label,errorMessage,languageCode,trackKind,chargedUsd',
      )
      assert.ok(lines.length >= progress.processed)
      const charged = lines.filter((line) => line.endsWith(',0.008')).length
      assert.equal(charged * 8000, Math.round(Number(billing.charged) * 1e6))
    },
  ),
  rule(
    'A file of a final job never changes: it has an ETag, honours If-None-Match and Range',
    async (kit) => {
      const { id } = await kit.finished()
      for (const name of ['zip', 'all.txt', 'report.csv']) {
        const [first, second] = [
          await kit.ask('GET', `/jobs/${id}/files/${name}`),
          await kit.ask('GET', `/jobs/${id}/files/${name}`),
        ]
        assert.deepEqual(first.bytes, second.bytes, name)
        const etag = first.headers.get('etag') ?? ''
        assert.match(etag, /^"[^"]+"$/)
        const same = await kit.ask('GET', `/jobs/${id}/files/${name}`, {
          headers: { 'If-None-Match': `"other", ${etag}` },
        })
        assert.deepEqual([same.status, same.bytes.length], [304, 0])
        const part = await kit.ask('GET', `/jobs/${id}/files/${name}`, {
          headers: { Range: 'bytes=5-14' },
        })
        assert.deepEqual(
          [part.status, part.bytes.toString('hex')],
          [206, first.bytes.subarray(5, 15).toString('hex')],
        )
        assert.equal(part.headers.get('content-range'), `bytes 5-14/${first.bytes.length}`)
      }
    },
  ),
  rule(
    'Files of rows that were not delivered, and files nobody asked for, answer 404',
    async (kit) => {
      const { id } = await kit.finished()
      for (const name of ['9999.txt', '9999.json', '0.txt', '1.docx'])
        assert.equal((await kit.ask('GET', `/jobs/${id}/files/${name}`)).status, 404, name)
      const job = await kit.untilFinal(
        (await kit.start({ urls: kit.lines(1), formats: ['text'] }))['id'],
      )
      if (job['progress'].delivered === 0) return
      const statusOf = async (name: string): Promise<number> =>
        (await kit.ask('GET', `/jobs/${job['id']}/files/${name}`)).status
      assert.deepEqual(
        [
          await statusOf('1.txt'),
          await statusOf('1.json'),
          await statusOf('1.srt'),
          await statusOf('1.vtt'),
        ],
        [200, 200, 404, 404],
      )
    },
  ),
]
