/** A client of Scriptorium for Node 20 and newer, browsers, Deno, Bun and workers. */
export type { Batches, BatchOptions } from './batches.ts'
export { Scriptorium, type ScriptoriumOptions } from './client.ts'
export {
  ApiError,
  BatchStoppedError,
  ConnectionError,
  type ErrorCode,
  IdempotencyConflictError,
  InsufficientBalanceError,
  InternalError,
  InvalidRequestError,
  InvalidUrlError,
  JobEndedError,
  JobInProgressError,
  NotFoundError,
  RateLimitedError,
  ScriptoriumError,
  ServerBusyError,
  TimeoutError,
  UnauthorizedError,
} from './errors.ts'
export type { JobEvent } from './events.ts'
export type { LibraryFile, ZipExport } from './catalogue.ts'
export type { Files, FileStream, ZipOptions } from './files.ts'
export {
  type CallOptions,
  type DeletionOptions,
  type EventOptions,
  type GetOptions,
  isFinal,
  type Jobs,
  type ListOptions,
  type OwnedChoice,
  type PageOptions,
  type StartedJob,
  type StartOptions,
  type WaitOptions,
  type WishedTrack,
} from './jobs.ts'
export type {
  CollectionsOptions,
  Library,
  LibraryFileOptions,
  LibraryVideosOptions,
} from './library.ts'
export type { Projects, RemovalOptions } from './projects.ts'
export type { PreviewOptions } from './previews.ts'
export type { PublishedKey } from './receipt-keys.ts'
export { ReceiptError, type ReceiptOptions, verifyReceipt } from './receipts.ts'
export type {
  Balance,
  Batch,
  BatchChange,
  BatchList,
  BatchRequest,
  BatchSummary,
  Collection,
  CollectionDetail,
  CollectionList,
  Downloads,
  Format,
  Job,
  JobList,
  JobPatch,
  JobRequest,
  JobState,
  JobVideo,
  LibraryVideo,
  LibraryVideoList,
  Preview,
  PreviewSource,
  Project,
  ProjectChange,
  ProjectList,
  ProjectRequest,
  ProjectVideos,
  ProjectVideosAdded,
  Receipt,
  Results,
  Mention,
  Mentions,
  SearchHit,
  SearchResults,
  Segment,
  Source,
  Subscription,
  SubscriptionChange,
  SubscriptionList,
  SubscriptionRequest,
  TextDeletion,
  Track,
  Video,
  WebhookEvent,
  Words,
} from './schema.ts'
export type { MentionsOptions, SearchOptions } from './search.ts'
export type { Subscriptions } from './subscriptions.ts'
export type { Transcript, TranscriptsOptions } from './transcripts.ts'
export { type ApiKey, type Call, Transport, type TransportOptions } from './transport.ts'
export { verifyWebhook, WebhookError, type WebhookOptions } from './webhooks.ts'
