/**
 * Delivered transcripts as resources of the Model Context Protocol:
 * `scriptorium://jobs/{jobId}/transcripts/{index}.txt`.
 */
import type { TextSource } from '../features/transcripts/read-stored.ts'
import { Problem } from '../kit/problem.ts'
import { INDEX_OF_RESOURCE, READ_IN_PAGES } from './next-steps.ts'
import { readTranscript } from '../features/transcripts/read-transcripts.ts'

/** Number of characters of a transcript that is read in one piece, as a resource or by `fetch`. */
export const WHOLE_TEXT_CHARS = 1_000_000

const MIME_TYPE = 'text/plain'
const URI = /^scriptorium:\/\/jobs\/([\w-]{1,40})\/transcripts\/(\d{1,9})\.txt$/

export const TRANSCRIPT_TEMPLATE = {
  uriTemplate: 'scriptorium://jobs/{jobId}/transcripts/{index}.txt',
  name: 'transcript',
  title: 'The text of one delivered video',
  description: INDEX_OF_RESOURCE,
  mimeType: MIME_TYPE,
}

type ResourceText = { uri: string; mimeType: string; text: string }

export function transcriptUri(jobId: string, index: number): string {
  return `scriptorium://jobs/${jobId}/transcripts/${index}.txt`
}

/**
 * Reads a resource; null where the account has nothing there. Throws a Problem for a text that has to be read in pages.
 */
export async function readResource(
  source: TextSource,
  { accountId, uri }: { accountId: string; uri: string },
): Promise<ResourceText | null> {
  const [, jobId, index] = URI.exec(uri) ?? []
  if (jobId === undefined) return null
  const ask = { isTimed: false, from: 0, charsMax: WHOLE_TEXT_CHARS }
  const found = await readTranscript(source, { accountId, jobId, index: Number(index), ...ask })
  if (found === null) return null
  const { page, total } = found
  if (page === null || page.to < total) {
    throw new Problem('invalid_request', {
      message: `This text has ${total} characters; ${READ_IN_PAGES}`,
    })
  }
  return { uri, mimeType: MIME_TYPE, text: page.text }
}
