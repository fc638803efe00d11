/** The fields of an order: what pages call each and say of a wrong one, and how forms, jobs and orders hold it. */
import type { Format } from '../../src/model/files/catalogue.ts'
import type { Job, JobRequest, OwnedChoice, WishedTrack } from './api/client.ts'

/** Bounds of the publish dates in the order of their controls, with the word before the day. */
const DAYS = {
  publishedAfter: {
    label: 'Published from',
    word: 'from',
    subject: 'The first day',
    advice: 'Choose a day that is not later than “Published until”.',
  },
  publishedBefore: {
    label: 'Published until',
    word: 'until',
    subject: 'The last day',
    advice: 'Choose a day that is not earlier than “Published from”.',
  },
}
type Day = keyof typeof DAYS
export const DAY_FIELDS = Object.entries(DAYS) as [Day, (typeof DAYS)[Day]][]

/** `subject` stands for the field's name in the API's sentences, `advice` beside the control that was refused. */
export const ORDER_FIELDS: Record<string, { subject: string; advice: string }> = {
  urls: {
    subject: 'The list of addresses',
    advice: 'Paste at least one address and at most 1,000, one per line.',
  },
  language: {
    subject: 'The language',
    advice: 'This is not a language code. Enter one such as en or pt-BR, or leave the field empty.',
  },
  formats: { subject: 'The list of files', advice: 'Choose at least one kind of file.' },
  maxVideos: { subject: 'The number of videos', advice: 'Choose a whole number from 1 to 50,000.' },
  ...DAYS,
}

/** What an order says beside its body. `owned`: what becomes of videos that other orders brought. */
export type OrderChoices = { owned: OwnedChoice; track?: WishedTrack | undefined }

/** The form of an order; texts are as typed. */
export type Options = Partial<Record<Day, string>> &
  OrderChoices & { language: string; formats: Format[]; maxVideos: string }

/** Returns the bounds that are given, as an order has them. */
export function daysOf(given: { [Name in Day]?: string | null }): Partial<Record<Day, string>> {
  const days = DAY_FIELDS.map(([name]) => [name, given[name] ?? ''] as const)
  return Object.fromEntries(days.filter(([, day]) => day !== ''))
}

/** Returns "from 2024-01-01" and "until 2024-12-31", those that there are. */
export function dayWords(given: Parameters<typeof daysOf>[0]): string[] {
  const days = daysOf(given)
  return DAY_FIELDS.flatMap(([name, { word }]) => (name in days ? `${word} ${days[name]}` : []))
}

/** Returns the option of so many videos at most. */
export function limitedTo(videos: number): Pick<Options, 'maxVideos'> {
  return { maxVideos: String(videos) }
}

/** Returns the order of a job once more: each field of one but the days, which may be missing. */
export function orderAgain(input: Job['input']): JobRequest {
  const { urls, language, formats, requestedMaxVideos: maxVideos } = input
  const fields: { [Name in Exclude<keyof JobRequest, Day>]-?: NonNullable<JobRequest[Name]> } = {
    urls,
    language,
    formats,
    maxVideos,
  }
  return { ...fields, ...daysOf(input) }
}
