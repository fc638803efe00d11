/** Which field of the form for a new job was refused, with a sentence for the reader. */
import { ApiError } from './api/problem.ts'

/** Sentences about each field, without names that only programs know. */
const SENTENCES: Record<string, string> = {
  urls: 'Paste at least one address and at most 1,000, one per line.',
  language: 'This is not a language code. Enter one such as en or pt-BR, or leave the field empty.',
  formats: 'Choose at least one kind of file.',
  maxVideos: 'Choose a whole number from 1 to 50,000.',
  publishedAfter: 'Choose a day that is not later than “Published until”.',
  publishedBefore: 'Choose a day that is not earlier than “Published from”.',
}

/** Returns null where a refusal is about no field of the form, or nothing was refused. */
export function wrongField(problem: unknown): { field: string; sentence: string } | null {
  if (!(problem instanceof ApiError) || problem.field === null) return null
  const sentence = SENTENCES[problem.field]
  if (sentence === undefined) return null
  // A line that is no address is quoted by the API, which knows the reason.
  return {
    field: problem.field,
    sentence: problem.code === 'invalid_url' ? problem.message : sentence,
  }
}
