/** A call of each method of the two clients, with all that it can send. */
import type { Scriptorium } from '../../clients/typescript/src/index.ts'

const NAMES = ['x'] as never[]

/** A call of each client that sends everything it can. */
type Calls = readonly [typescript: (client: Scriptorium) => unknown, python: string]

const PAGE = { offset: 1, limit: 1 }
const PY_PAGE = 'offset=1, limit=1'
const WISH = { owned: 'skip', track: 'asr' } as const
const PY_WISH = 'owned="skip", track="asr"'
const ORDER = {
  urls: ['u'],
  language: 'en',
  formats: NAMES,
  maxVideos: 1,
  publishedAfter: '2020-01-01',
  publishedBefore: '2020-01-01',
}
const PY_ORDER =
  '["u"], language="en", formats=["x"], max_videos=1, published_after="2020-01-01", published_before="2020-01-01"'
const FOUND = { channel: 'c', language: 'en', after: '2020-01-01', before: '2020-01-01' }
const PY_FOUND = '"q", channel="c", language="en", after="2020-01-01", before="2020-01-01"'
const FOLLOWED = {
  url: 'u',
  monthlyCap: '1',
  language: 'en',
  formats: NAMES,
  backlog: 1,
  publishedAfter: '2020-01-01',
  everyHours: 1,
  owned: 'skip',
} as const
const PY_FOLLOWED =
  '"u", monthly_cap="1", language="en", formats=["x"], backlog=1, published_after="2020-01-01", every_hours=1, owned="skip"'
const ZIP = { names: 'title', formats: NAMES, exports: NAMES, after: 1, texts: 'all' } as const
const PY_ZIP = 'names="title", formats=["x"], exports=["x"], after=1, texts="all"'
const FILE = { formats: NAMES, exports: NAMES, seconds: 1, parts: 1, words: 1 }
const PY_FILE = 'formats=["x"], exports=["x"], seconds=1, parts=1, words=1'

/** Calls by the operation that they ask. */
export const EVERY_CALL: Record<string, Calls> = {
  createJob: [
    (c) => c.jobs.start(ORDER, { ...WISH, previewId: 'p' }),
    `c.jobs.start(${PY_ORDER}, ${PY_WISH}, preview_id="p")`,
  ],
  listJobs: [(c) => c.jobs.list(PAGE), `c.jobs.list(${PY_PAGE})`],
  getJob: [(c) => c.jobs.get('a', { waitSeconds: 1 }), 'c.jobs.get("a", wait_seconds=1)'],
  changeJob: [
    (c) => c.jobs.change('a', { name: 'n', note: 'n' }),
    'c.jobs.change("a", name="n", note="n")',
  ],
  cancelJob: [(c) => c.jobs.cancel('a'), 'c.jobs.cancel("a")'],
  followJob: [(c) => c.jobs.events('a').next(), 'next(c.jobs.events("a"))'],
  getResults: [
    (c) => {
      const filters = { view: 'rows', include: 'textRow', status: 'success', q: 'q' } as const
      return c.jobs.resultsPage('a', { ...PAGE, ...filters })
    },
    `c.jobs.results_page("a", ${PY_PAGE}, view="rows", include="textRow", status="success", q="q")`,
  ],
  getReceipt: [(c) => c.jobs.receipt('a'), 'c.jobs.receipt("a")'],
  deleteJobTexts: [
    (c) => c.jobs.deleteTexts('a', { dryRun: true }),
    'c.jobs.delete_texts("a", dry_run=True)',
  ],
  deleteText: [
    (c) => c.jobs.deleteText('a', 1, { dryRun: true }),
    'c.jobs.delete_text("a", 1, dry_run=True)',
  ],
  createBatch: [
    (c) => c.batches.create({ ...ORDER, name: 'n' }, WISH),
    `c.batches.create(${PY_ORDER}, ${PY_WISH}, name="n")`,
  ],
  listBatches: [(c) => c.batches.list(PAGE), `c.batches.list(${PY_PAGE})`],
  getBatch: [(c) => c.batches.get('a'), 'c.batches.get("a")'],
  changeBatch: [
    (c) => c.batches.change('a', { name: 'n', state: 'stopped' }),
    'c.batches.change("a", name="n", state="stopped")',
  ],
  getBatchFile: [(c) => c.files.zip('batch_a', ZIP), `c.files.zip("batch_a", ${PY_ZIP}).read()`],
  createPreview: [(c) => c.preview(ORDER, WISH), `c.preview(${PY_ORDER}, ${PY_WISH})`],
  getFile: [(c) => c.files.zip('a', ZIP), `c.files.zip("a", ${PY_ZIP}).read()`],
  getWords: [(c) => c.files.words('a', 1), 'c.files.words("a", 1)'],
  getWordsVtt: [(c) => c.files.wordsVtt('a', 1), 'c.files.words_vtt("a", 1).read()'],
  listCollections: [
    (c) =>
      c.library.list({
        ...PAGE,
        q: 'q',
        kind: 'channel',
        sort: 'title',
        view: 'pictures',
        job: 'a',
      }),
    `c.library.list(${PY_PAGE}, q="q", kind="channel", sort="title", view="pictures", job="a")`,
  ],
  getCollection: [(c) => c.library.get('a'), 'c.library.get("a")'],
  listLibraryVideos: [
    (c) => c.library.videosPage('a', { ...PAGE, status: 'success', q: 'q', language: 'en' }),
    `c.library.videos_page("a", ${PY_PAGE}, status="success", q="q", language="en")`,
  ],
  getJobVideo: [(c) => c.library.video('a', 1), 'c.library.video("a", 1)'],
  getCollectionFile: [
    (c) => c.library.file('a', 'zip', FILE),
    `c.library.file("a", "zip", ${PY_FILE}).read()`,
  ],
  deleteCollectionTexts: [
    (c) => c.library.deleteTexts('a', { dryRun: true }),
    'c.library.delete_texts("a", dry_run=True)',
  ],
  listProjects: [(c) => c.projects.list(PAGE), `c.projects.list(${PY_PAGE})`],
  createProject: [
    (c) => c.projects.create({ name: 'n', note: 'n', tags: ['t'] }),
    'c.projects.create("n", note="n", tags=["t"])',
  ],
  getProject: [(c) => c.projects.get('a'), 'c.projects.get("a")'],
  changeProject: [
    (c) => c.projects.change('a', { name: 'n', note: 'n', tags: ['t'] }),
    'c.projects.change("a", name="n", note="n", tags=["t"])',
  ],
  deleteProject: [
    (c) => c.projects.remove('a', { withTexts: true, dryRun: true }),
    'c.projects.remove("a", with_texts=True, dry_run=True)',
  ],
  addToProject: [
    (c) =>
      c.projects.add('a', {
        videos: [],
        job: 'a',
        batch: 'b',
        collection: 'c',
        q: 'q',
        language: 'en',
      }),
    'c.projects.add("a", videos=[], job="a", batch="b", collection="c", q="q", language="en")',
  ],
  takeFromProject: [(c) => c.projects.take('a', 'v'), 'c.projects.take("a", "v")'],
  getBalance: [(c) => c.balance(), 'c.balance()'],
  listSubscriptions: [(c) => c.subscriptions.list(PAGE), `c.subscriptions.list(${PY_PAGE})`],
  createSubscription: [
    (c) => c.subscriptions.create(FOLLOWED),
    `c.subscriptions.create(${PY_FOLLOWED})`,
  ],
  getSubscription: [(c) => c.subscriptions.get('a'), 'c.subscriptions.get("a")'],
  changeSubscription: [
    (c) => c.subscriptions.change('a', { monthlyCap: '1', everyHours: 1, state: 'paused' }),
    'c.subscriptions.change("a", monthly_cap="1", every_hours=1, state="paused")',
  ],
  deleteSubscription: [(c) => c.subscriptions.remove('a'), 'c.subscriptions.remove("a")'],
  search: [
    (c) => c.searchPage('q', { ...FOUND, ...PAGE, sort: 'newest' }),
    `c.search_page(${PY_FOUND}, ${PY_PAGE}, sort="newest")`,
  ],
  listMentions: [
    (c) => c.mentionsPage('q', { ...FOUND, ...PAGE, video: 'v' }),
    `c.mentions_page(${PY_FOUND}, ${PY_PAGE}, video="v")`,
  ],
  getMentionsCsv: [
    (c) => c.mentionsCsv('q', { ...FOUND, video: 'v' }),
    `c.mentions_csv(${PY_FOUND}, video="v").read()`,
  ],
}
