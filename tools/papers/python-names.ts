/** Names of the Python client's types beside those of the OpenAPI document, and sentences that it alone has. */
import type { Schema } from './reference-fields.ts'

/** Groups of operations that the client does not call, so that it has no types of their answers. */
export const UNCALLED_TAGS: readonly string[] = ['Webhooks']

/**
 * Names of objects that the document describes within a field. Where none is given, a type is called as its field is,
 * with the name of the type around it in front: `JobLinks`.
 */
export const NAMES_OF_FIELDS: Record<string, string> = {
  'PreviewSource.ownedFrom': 'OwnedFrom',
  'PreviewSource.tried': 'LastTry',
  'BatchSummary.progress': 'BatchProgress',
  'BatchSummary.billing': 'BatchBilling',
  'BatchSummary.jobs': 'BatchJob',
  'SearchHit.snippet': 'SnippetPiece',
  'SearchResults.channels': 'ChannelHits',
  'SearchResults.months': 'MonthHits',
  'Mention.snippet': 'SnippetPiece',
  'Mentions.videos': 'VideoMentions',
  'Mentions.channels': 'ChannelMentions',
  'Mentions.months': 'MonthMentions',
  'CollectionDetail.goesOn': 'RestOfCollection',
  'ProjectVideosAdded.refused': 'RefusedVideo',
  'Words.words': 'Word',
  'Receipt.delivered': 'ReceiptText',
  'ReceiptLedger.entries': 'LedgerEntry',
}

/**
 * Types that add fields to another, which is their base class. So a function that takes the one takes the other, also
 * where the base has an optional field that answers of this type never have.
 */
export const BASES: Record<string, string> = {
  Batch: 'BatchSummary',
  CollectionDetail: 'Collection',
  JobVideo: 'LibraryVideo',
}

/** Fields that the client puts into an answer by itself. */
export const OWN_FIELDS: Record<string, Record<string, Schema>> = {
  Job: {
    balanceNotice: {
      type: 'string',
      description:
        'The one of `notices` that is about the balance, where it covers fewer videos than were asked for; only from `start`',
    },
  },
}

/** First words of docstrings. */
export const ABOUT: Record<string, string> = {
  Video: 'A row of a job. `success` rows have text, segments and files.',
  OwnedFrom: "The latest other order that delivered some of a line's videos.",
  PreviewSource: 'One line of a preview.',
  Preview: 'What an order would bring and cost. It is kept for an hour.',
  Job: 'An order. Answers of `start` have `notices`; those of `get`, `list` and `change` have `title`, `name` and `note`.',
  BatchSummary: 'An order of more than a job may have.',
  Batch: 'An order of more than a job may have, with what was ordered.',
  Subscription: 'What is followed.',
  SearchHit: 'A place where the words of a search are said; `url` opens the video there.',
  Mention: 'A place where a word or phrase of a search is said; `url` opens the video there.',
  Collection: 'What the account has of a channel, playlist or project.',
  CollectionDetail:
    'What the account has of a collection, and what it would cost to fetch the rest.',
  Project: "A collection of the account's own; `Library` reads its videos and files by its id.",
  LibraryVideo: 'A row with what the platform says of its video.',
  Track: 'A caption track of a video.',
  Source: 'The reply of the platform from which a text was read.',
  JobVideo: 'A row with all that is known of its video.',
  Receipt: 'What `verify_receipt` checks.',
}
