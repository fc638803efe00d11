/** Fields by which agents order and preview. */
import { Type } from 'typebox'
import { wordOf } from '../api/contract.ts'
import { JobBody } from '../api/jobs/schema.ts'
import { LIMITS } from '../config/config.ts'
import { OWNED_CHOICES } from '../model/jobs/owned-text.ts'
import { TRACK_KINDS } from '../model/transcripts/transcript.ts'
import { briefly } from './tool.ts'

const { urls, language, publishedAfter, publishedBefore } = JobBody.properties
// It has no default, unlike the API's of 500: what a list may cost has to be named.
const maxVideos = Type.Optional(Type.Integer({ minimum: 1, maximum: LIMITS.videosMax }))
const owned = Type.Optional(wordOf(OWNED_CHOICES))
const track = Type.Optional(wordOf(TRACK_KINDS))

export const OrderedFields = {
  urls: briefly(urls, 'Videos, playlists or channels: URLs, ids or @names'),
  maxVideos: briefly(maxVideos, 'Most to buy. Required for lists'),
  publishedAfter: briefly(publishedAfter, 'YYYY-MM-DD'),
  publishedBefore: briefly(publishedBefore),
  owned: briefly(owned, 'again: pay for what you own again'),
  track,
  language: briefly(language, 'Such as pt-BR; falls back to the original'),
}

/** Fields of a preview: those of the order, in fewer words. */
export const PreviewedFields: typeof OrderedFields = {
  urls: briefly(urls),
  maxVideos,
  publishedAfter: briefly(publishedAfter),
  publishedBefore: briefly(publishedBefore),
  owned,
  track,
  language: briefly(language),
}
