/**
 * Parts of what several tools answer and take. Each tool has the shape of its answer, closed: a field that stands in
 * none fails the tests. What agents are shown of them is in tool.ts.
 */
import { type Static, type TProperties, Type } from 'typebox'
import { closedObject, nullable } from '../api/contract.ts'

export const textField = Type.String()
export const countField = Type.Integer()
export const maybeText = Type.Optional(textField)
export const textList = Type.Array(textField)

/** A job's id as any text: a malformed one is one that does not exist, as in the API's addresses. */
export const JobIdOnly = Type.String()

/** Facts that are left out where they are not known. */
export const NAMED = {
  title: maybeText,
  channelName: maybeText,
  publishedAt: maybeText,
  languageCode: maybeText,
}

/** What is left to spend; the second only for an app or a limited key. */
export const MoneyFields = { balanceUsd: textField, monthlyCapLeftUsd: maybeText }

/** A job as agents see it: what they decide by, in a tenth of the words of the API's Job. */
export const JobFields = {
  jobId: textField,
  state: textField,
  isFinal: Type.Boolean(),
  delivered: countField,
  title: textField,
  note: maybeText,
  createdAt: textField,
  urls: textList,
  urlCount: countField,
  maxVideos: countField,
  processed: countField,
  counts: Type.Record(textField, countField),
  reservedUsd: maybeText,
  chargedUsd: maybeText,
  error: maybeText,
}
/** Returns a page of a list, with more fields about the whole. */
export function listAnswer<Items extends TProperties>(fields: Items) {
  const nextOffset = nullable(countField)
  return closedObject({
    ...fields,
    total: countField,
    nextOffset,
    offset: countField,
    limit: countField,
  })
}

/** A page of a text, and where it stands in it: the fields of every page. */
export const PageAnswerFields = {
  jobId: textField,
  index: countField,
  title: nullable(textField),
  from: countField,
  to: countField,
  total: countField,
  nextCursor: nullable(countField),
  notices: Type.Optional(textList),
  text: textField,
}
export const AnsweredPage = closedObject(PageAnswerFields)
export type AnsweredPage = Static<typeof AnsweredPage>
