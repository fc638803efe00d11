/** Calls of hand-written SQL about the library. */
import { COLLECTION_SORTS } from '../../src/model/library/collection.ts'
import type { Db, Tx } from '../../src/store/database.ts'
import * as deletedTexts from '../../src/store/deleted-texts.ts'
import * as ownedTexts from '../../src/store/owned-texts.ts'
import * as collections from '../../src/store/collections.ts'
import * as rows from '../../src/store/library-rows.ts'
import { findDeletionSentence } from '../../src/store/file-rows.ts'
import { readDetails } from '../../src/store/collections.ts'
import {
  findOrigin,
  findRecordedWords,
  listOrigins,
  replaceRecorded,
} from '../../src/store/transcripts.ts'
import * as projects from '../../src/store/projects.ts'
import * as projectVideos from '../../src/store/project-videos.ts'
import { setJobWords } from '../../src/store/jobs.ts'
import { listSubjects } from '../../src/store/job-titles.ts'

const [accountId, jobId] = ['account', 'job']
const job = { id: jobId, accountId, urlSetHash: 'hash' }
const collection = { id: 'collection', kind: 'channel' } as const
const owned = { accountId, collection }
const page = { offset: 0, limit: 1 }
const projectId = 'project'
const project = { accountId, projectId }
const ofProject = { id: projectId, kind: 'project' } as const
const inProject = { accountId, collection: ofProject }
const words = { name: 'n', note: null, tags: ['t'] }
const filter = { title: 't', language: 'en' }
const OFFERS: projectVideos.Offer[] = [
  { videos: [{ jobId, index: 1 }] },
  { jobIds: [jobId], meeting: { wish: { language: 'en', wishedTrack: 'asr' }, codes: ['en'] } },
  { collection, ...filter },
  { collection: ofProject, ...filter },
]

const going = { accountId, until: null, afterVideoId: '', limit: 1 }
const GOING: deletedTexts.TextsToGo[] = [
  { jobId },
  { jobId, index: 1 },
  { collection },
  { collection: ofProject },
  { texts: [{ videoId: 'v', languageCode: 'en', trackKind: null }] },
]
const named = { accountId, named: [{ jobId, index: 1 }] }

export const LIBRARY_CALLS: ((given: { db: Db; tx: Tx }) => Promise<unknown>)[] = [
  ...GOING.flatMap((of) => [
    ({ db }: { db: Db }) => deletedTexts.readGoingTexts(db, { ...going, of }),
    ({ tx }: { tx: Tx }) =>
      deletedTexts.deleteGoingTexts(tx, { ...going, of }, { label: 'l', sentence: 's' }),
  ]),
  ...GOING.flatMap((of) =>
    'texts' in of
      ? []
      : [({ db }: { db: Db }) => deletedTexts.listNamedTexts(db, { accountId, of, limit: 1 })],
  ),
  ({ db }) => deletedTexts.setCollectionDeleting(db, { accountId, id: collection.id }),
  ({ db }) =>
    deletedTexts.setCollectionDeleted(db, { accountId, id: collection.id, until: new Date(0) }),
  ({ db }) => deletedTexts.listDeletingCollections(db, { minSeconds: 1, limit: 1 }),
  ({ db }) => findDeletionSentence(db, { jobId, index: 1 }),
  ({ db }) =>
    ownedTexts.findReadCollections(db, { accountId, ids: [collection.id], names: ['/@n'] }),
  ({ db }) =>
    ownedTexts.findOpenJobOf(db, { accountId, subjects: ['v'], collectionIds: [collection.id] }),
  ({ db }) =>
    ownedTexts.listDeliveredBySets(db, { accountId, urlSetHashes: ['h'], videoIds: ['v'] }),
  ({ tx }) => collections.noteListFacts(tx, job, { collection, title: null, videoCount: null }),
  ({ tx }) => collections.noteWholeList(tx, { jobId, position: 1 }),
  ...COLLECTION_SORTS.flatMap((sort) =>
    [
      { name: null, kind: null, sort },
      { name: 'shop', kind: 'channel' as const, sort },
    ].map(
      (asked) =>
        ({ db }: { db: Db }) =>
          collections.listCollections(db, { accountId, ...page }, asked),
    ),
  ),
  ({ db }) => collections.findCollection(db, { accountId, id: collection.id }),
  ({ db }) => collections.listCollectionsOfJob(db, { accountId, jobId }),
  ({ db }) =>
    rows.listLibraryRows(db, owned, { statuses: null, title: null, language: null }, page),
  ({ db }) =>
    rows.listLibraryRows(db, owned, { statuses: [null], title: 't', language: 'en' }, page),
  ({ db }) => rows.countStatuses(db, owned),
  ({ db }) => rows.findGoingOn(db, owned),
  ({ db }) => rows.countVideosLeft(db, { accountId, jobId }),
  ({ db }) => rows.listTexts(db, owned),
  ({ db }) => rows.listReportedVideos(db, owned),
  ({ db }) => rows.listTexts(db, named),
  ({ db }) => rows.listReportedVideos(db, named),
  ({ db }) => rows.listRows(db, [{ jobId, index: 1 }]),
  ({ db }) => rows.listTextsOfJob(db, { jobId, doneAfter: 0, doneMax: 1 }),
  ({ db }) => rows.findLibraryRow(db, { accountId, jobId, index: 1 }),
  ({ db }) => findRecordedWords(db, { jobId, index: 1 }),
  ({ db }) =>
    replaceRecorded(db, { jobId, index: 1 }, { before: Buffer.alloc(1), after: Buffer.alloc(1) }),
  ({ db }) => findOrigin(db, { jobId, index: 1 }),
  ({ db }) => listOrigins(db, { jobId, after: 0, limit: 1 }),
  ({ tx }) => projects.insertProject(tx, project, words),
  ({ db }) => projects.countProjects(db, accountId),
  ({ db }) => projects.listProjects(db, { accountId, ...page }),
  ({ db }) => projects.findProject(db, project),
  ({ tx }) => projects.findProject(tx, project, 'locked'),
  ({ tx }) => projects.setProjectWords(tx, projectId, words),
  ({ tx }) => projects.deleteProjectRow(tx, projectId),
  ...OFFERS.map(
    (offer) =>
      ({ tx }: { tx: Tx }) =>
        projectVideos.insertProjectVideos(tx, project, offer),
  ),
  ({ db }) => projectVideos.listLanguagesBehind(db, { accountId, jobIds: [jobId] }),
  ({ tx }) => projectVideos.deleteProjectVideo(tx, project, 'v'),
  ({ tx }) => projectVideos.deleteProjectVideos(tx, projectId),
  ({ tx }) => projects.recountProject(tx, projectId),
  ({ db }) =>
    rows.listLibraryRows(db, inProject, { statuses: null, title: 't', language: null }, page),
  ({ db }) => rows.countStatuses(db, inProject),
  ({ db }) => rows.listTexts(db, inProject),
  ({ db }) => rows.listReportedVideos(db, inProject),
  ({ db }) => readDetails(db, ['video']),
  ({ db }) => listSubjects(db, [jobId]),
  ({ db }) => setJobWords(db, { accountId, jobId }, { givenName: 'name', note: null }),
]
