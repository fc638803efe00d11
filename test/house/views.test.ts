/** A page that is added to the router must be looked at: in light, dark and on a phone. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { siteAddresses } from '../support/site-addresses.ts'
import { OPERATOR } from '../browser/console-views.ts'
import { withProjects } from '../browser/project-views.ts'
import { inside, LEGAL_PAGES, OUTSIDE } from '../browser/views.ts'

const STAND = {
  jobId: '0190-x',
  readerPath: '/jobs/0190-x/1',
  trackPath: '/jobs/0190-x/1',
  besidePath: '/jobs/0190-x/1?beside=0190-x.2',
  undeliveredPath: '/jobs/0190-x/2',
  otherLanguagePath: '/jobs/0190-x/3',
  collectionPath: '/library/0190-x',
  webhookPath: '/webhooks/whk_1',
  batchPath: '/batches/batch_1',
}

test('every address of the router has a view, and so have the pages of the operator’s files', () => {
  const views = [
    ...OUTSIDE,
    ...inside(STAND),
    ...withProjects('/library/p', STAND.collectionPath),
    ...OPERATOR,
  ]
  const seen = new Set(views.map(({ path }) => path.replace(/[?#].*$/, '')))
  const unseen = [
    ...siteAddresses(),
    ...[...LEGAL_PAGES, 'accessibility'].map((name) => `/${name}`),
  ].filter((address) => {
    const pattern = new RegExp(`^${address.replace(/\$\w+/g, '[^/]+')}$`)
    return ![...seen].some((path) => pattern.test(path))
  })
  // The address of the billing page of before only leads to it.
  assert.deepEqual(unseen, ['/money'])
  assert.equal(new Set(views.map(({ name }) => name)).size, views.length, 'names are pictures')
})
