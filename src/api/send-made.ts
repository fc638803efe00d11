/** Sends what is made while it is sent: exports, and ZIPs with exports in them. */
import { Readable } from 'node:stream'
import { Type } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { contentDisposition } from '../kit/http/content.ts'
import type { Downloads } from '../kit/http/downloads.ts'
import { type Export, EXPORTS } from '../features/library/open-export.ts'
import { type ExportZipOrder, openExportZip } from '../features/library/open-export-zip.ts'
import type { Db } from '../store/database.ts'
import { Problem } from '../kit/problem.ts'
import { type FileForm, type Format, requestedForms } from '../model/transcripts/formats.ts'

/** Which formats a ZIP holds, as a query names them. */
export function formatsQuery(byDefault: string) {
  return Type.Optional(
    Type.String({
      pattern: FORMAT_LIST,
      description: `What the ZIP holds of each video, separated by commas; by default ${byDefault}`,
      examples: ['text'],
      'x-extension': true,
    }),
  )
}

export const exportQuery = {
  seconds: Type.Optional(
    Type.Integer({
      minimum: 5,
      maximum: 3_600,
      default: 120,
      description: 'How long a passage of export.jsonl is',
    }),
  ),
  exports: Type.Optional(
    Type.String({
      pattern: '^(md|jsonl)(,(md|jsonl))*$',
      description:
        'What the ZIP holds of each video besides, separated by commas: `md` (Markdown), `jsonl` (passages). ' +
        'Such a ZIP is made while it is sent, without ETag and Range',
      examples: ['md,jsonl'],
      'x-extension': true,
    }),
  ),
}

const FORMAT_LIST = '^(text|srt|vtt|segments)(,(text|srt|vtt|segments))*$'

/** The forms of a `formats` query; undefined where there is none. */
export function formsOf(formats: string | undefined): FileForm[] | undefined {
  return formats === undefined ? undefined : requestedForms(formats.split(',') as Format[])
}

export type MadeParts = {
  db: Db
  downloads: Downloads
  request: FastifyRequest
  reply: FastifyReply
}

/** `exports`: endings, separated by commas. The caller counts the download. */
export async function sendExportZip(
  { db, request, reply }: Pick<MadeParts, 'db' | 'request' | 'reply'>,
  {
    exports,
    seconds,
    ...whose
  }: Pick<ExportZipOrder, 'accountId' | 'of'> & { exports: string; seconds?: number },
): Promise<void> {
  const endings = exports.split(',')
  const files = EXPORTS.filter((file) => endings.includes(file.slice('export.'.length)))
  const order = { ...whose, exports: files, passageMs: passageMsOf(seconds) }
  return sendMade(await openExportZip(db, order), { request, reply })
}

/** Nobody knows its length, or how it looks the next time. */
export async function sendMade(
  opened: Export | null,
  { request, reply }: Pick<MadeParts, 'request' | 'reply'>,
): Promise<void> {
  if (opened === null) throw new Problem('not_found')
  reply.headers({
    'Content-Type': opened.contentType,
    'Content-Disposition': contentDisposition(opened.name),
    'Cache-Control': 'no-store',
  })
  // For HEAD nothing is read.
  const body = request.method === 'HEAD' ? Readable.from([]) : Readable.from(opened.bytes)
  await reply.send(body)
}

export function passageMsOf(seconds = 120): number {
  return seconds * 1000
}
